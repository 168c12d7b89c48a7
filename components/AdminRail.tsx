/**
 * The way round the admin. On small screens the menu is a popover, which opens,
 * closes and keeps the keyboard without script.
 */
import type { AdminState } from "@/define.ts";
import { Brand } from "./Brand.tsx";
import { Icon } from "./Icon.tsx";
import { ThemeSwitch } from "./ThemeSwitch.tsx";

const groups = [
  {
    title: "Analytics",
    links: [["/admin/logs", "Filter Logs"], ["/admin/explain", "Explain a Call"]],
  },
  {
    title: "Configuration",
    links: [
      ["/admin/backends", "API Backends"],
      ["/admin/websites", "Website Backends"],
      ["/admin/publish", "Publish Changes"],
      ["/admin/cache", "Cache"],
    ],
  },
  { title: "People", links: [["/admin/users", "API Users"]] },
] as const;

interface AdminRailProps {
  readonly state: AdminState;
  readonly url: URL;
}

export function AdminRail({ state, url }: AdminRailProps) {
  return (
    <header class="rail">
      <Brand name={state.portico.config.site_name} href="/admin/" />
      <button type="button" class="button button-small rail-toggle" popovertarget="rail-menu">
        <Icon name="menu" />
        Menu
      </button>
      <div class="rail-menu" id="rail-menu" popover="auto">
        <nav aria-label="Admin">
          {groups.map((group) => (
            <div key={group.title} class="rail-group">
              <h2 class="rail-title">{group.title}</h2>
              <ul>
                {group.links.map(([href, words]) => (
                  <li key={href}>
                    <RailLink
                      href={href}
                      words={words}
                      url={url}
                      count={href === "/admin/publish" ? state.changes.length : 0}
                    />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <Account state={state} url={url} />
      </div>
    </header>
  );
}

interface RailLinkProps {
  readonly href: string;
  readonly words: string;
  readonly url: URL;
  /** Unpublished changes behind the link; 0 shows nothing. */
  readonly count?: number;
}

function RailLink({ href, words, url, count = 0 }: RailLinkProps) {
  return (
    <a class="rail-link" href={href} aria-current={currency(href, url.pathname)}>
      {words}
      {count > 0 && (
        <span class="rail-count">
          {count}
          <span class="visually-hidden">{count === 1 ? " change" : " changes"}</span>
        </span>
      )}
    </a>
  );
}

/** `page` for the page itself, `true` for one below it. */
function currency(href: string, pathname: string): "page" | "true" | undefined {
  if (pathname === href || pathname === `${href}/`) return "page";
  return pathname.startsWith(`${href}/`) ? "true" : undefined;
}

function Account({ state, url }: AdminRailProps) {
  return (
    <div class="rail-foot">
      <p class="rail-who">
        <span class="muted">Signed in as</span>
        <br />
        {state.admin.username}
      </p>
      <RailLink href="/admin/tokens" words="Admin tokens" url={url} />
      <form method="post" action="/admin/logout">
        <button type="submit" class="rail-link">Sign out</button>
      </form>
      <ThemeSwitch theme={state.theme} returnTo={url.pathname + url.search} />
    </div>
  );
}
