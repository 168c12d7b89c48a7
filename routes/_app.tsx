import { asset } from "fresh/runtime";
import { define } from "@/define.ts";

export default define.layout(function App({ Component, state }) {
  return (
    <html lang="en" data-theme={state.theme === "system" ? undefined : state.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href={asset("/portico/mark.svg")} />
        <link rel="stylesheet" href={asset("/portico/styles.css")} />
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
});
