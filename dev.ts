// Building the web pages, and developing them.
//
//   deno run dev.ts build   builds `_fresh/`, unless it is up to date
//   deno run dev.ts         builds for development, then starts Portico
import { Builder } from "fresh/dev";

const builder = new Builder({ serverEntry: "./web.ts" });

if (Deno.args[0] === "build") {
  await builder.build();
} else {
  await builder.build({ mode: "development" });
  const { start } = await import("./main.ts");
  await start(Deno.args);
}
