/** The frame of the public pages: name on top, one column, a quiet foot. */
import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";
import type { State } from "@/define.ts";
import { Brand } from "./Brand.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

interface PublicShellProps {
  readonly title: string;
  readonly state: State;
  readonly url: URL;
  readonly children: ComponentChildren;
}

export function PublicShell({ title, state, url, children }: PublicShellProps) {
  const { site_name, contact_url } = state.portico.config;
  const home = url.pathname === "/"; // it has the name of the service as its title
  return (
    <div class="public">
      <Head>
        <title>{title === site_name ? title : `${title} · ${site_name}`}</title>
      </Head>
      <a class="skip-link" href="#main">Skip to the content</a>
      {!home && (
        <header class="public-head">
          <Brand name={site_name} href="/" />
        </header>
      )}
      <main class="public-main" id="main">{children}</main>
      <footer class="public-foot">
        <div>
          <nav aria-label="Service">
            <a href="/">APIs</a>
            <a href="/signup/">Get an API key</a>
            {contact_url !== "" && <a href={contact_url}>Contact</a>}
            <a href="/admin/">Admin</a>
          </nav>
          <ThemeSwitch theme={state.theme} returnTo={url.pathname + url.search} />
        </div>
      </footer>
    </div>
  );
}
