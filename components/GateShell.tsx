/** The frame of a page with one thing to do: sign in, create the first account. */
import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";
import type { State } from "@/define.ts";
import { Brand } from "./Brand.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

interface GateShellProps {
  readonly title: string;
  readonly text: string;
  readonly state: State;
  readonly url: URL;
  readonly children: ComponentChildren;
}

export function GateShell({ title, text, state, url, children }: GateShellProps) {
  const { site_name } = state.portico.config;
  return (
    <div class="gate">
      <Head>
        <title>{`${title} · ${site_name}`}</title>
      </Head>
      <header>
        <Brand name={site_name} href="/" />
      </header>
      <main class="gate-main card">
        <header>
          <h1>{title}</h1>
          <p>{text}</p>
        </header>
        {children}
      </main>
      <footer>
        <ThemeSwitch theme={state.theme} returnTo={url.pathname + url.search} />
      </footer>
    </div>
  );
}
