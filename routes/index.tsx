/** The homepage: what is published here; for a new server, the way to a first call. */
import { page } from "fresh";
import { ApiList } from "@/components/ApiList.tsx";
import { ButtonLink } from "@/components/Button.tsx";
import { FirstSteps, type Progress } from "@/components/FirstSteps.tsx";
import { Mark } from "@/components/Mark.tsx";
import { PublicShell } from "@/components/PublicShell.tsx";
import { liveApis } from "@/components/published_api.ts";
import { define } from "@/define.ts";
import type { Portico } from "@/gateway/portico.ts";

export const handler = define.handlers({
  async GET(ctx) {
    const { portico, client } = ctx.state;
    const apis = liveApis(portico, client.baseUrl);
    return page({ apis, progress: apis.length > 0 ? null : await progressOf(portico) });
  },
});

async function progressOf({ accounts, backends }: Portico): Promise<Progress> {
  if (accounts.needsSetup) return "set-up";
  const { total } = await backends.list({ limit: 1 });
  return total === 0 ? "add-backend" : "publish";
}

export default define.page<typeof handler>(function Homepage({ data, state, url }) {
  const { site_name } = state.portico.config;
  return (
    <PublicShell title={site_name} state={state} url={url}>
      {data.progress === null
        ? (
          <>
            <header class="public-intro">
              <Title name={site_name} />
              <p class="lead">{introduction(data.apis.length)}</p>
              <p>
                <ButtonLink href="/signup/" look="primary">Get an API key</ButtonLink>
              </p>
            </header>
            <ApiList apis={data.apis} />
          </>
        )
        : (
          <>
            <header class="public-intro">
              <Title name={site_name} />
              <p class="lead">
                This server hands out API keys and passes on the calls that carry one. Nothing is
                published here yet: three steps lead to the first call.
              </p>
            </header>
            <FirstSteps progress={data.progress} />
          </>
        )}
    </PublicShell>
  );
});

function Title({ name }: { name: string }) {
  return (
    <div class="home-mark">
      <Mark />
      <h1>{name}</h1>
    </div>
  );
}

function introduction(count: number): string {
  return `${count === 1 ? "One API is" : `${count} APIs are`} published here. ` +
    "Sign up for a key, send it with each call, and start.";
}
