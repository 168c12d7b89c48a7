/** Whatever went wrong on a page, in the same words and frame as a refused call. */
import { HttpError, page } from "fresh";
import { Head } from "fresh/runtime";
import { ButtonLink } from "@/components/Button.tsx";
import { define } from "@/define.ts";
import { Fault } from "@/gateway/faults.ts";

const titles: Record<number, string> = {
  400: "This request could not be read",
  403: "This is not allowed",
  404: "There is nothing at this address",
  405: "This page cannot do that",
  413: "This is too much at once",
  422: "This could not be understood",
  429: "Too many attempts in a short time",
};

function statusOf(error: unknown): number {
  return error instanceof Fault || error instanceof HttpError ? error.status : 500;
}

function explanation(error: unknown, status: number): string {
  if (error instanceof Fault && status < 500) return error.message;
  if (status >= 500) return "The fault is on this side, and has been noted. Try again in a while.";
  if (status === 404) return "The address may be mistyped, or what was here is gone.";
  return "Go back and try again.";
}

export const handler = define.handlers((ctx) => {
  const { portico, client } = ctx.state;
  const status = statusOf(ctx.error);
  if (status >= 500) {
    portico.log.error("A page failed", {
      request_id: client.requestId,
      path: ctx.url.pathname,
      error: ctx.error instanceof Error ? ctx.error.stack ?? ctx.error.message : "not an Error",
    });
  }
  const retryAfter = ctx.error instanceof Fault ? ctx.error.retryAfter : undefined;
  return page({ status, text: explanation(ctx.error, status) }, {
    status,
    headers: {
      "cache-control": "no-store",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  });
});

export default define.page<typeof handler>(function ErrorPage({ data, state, url }) {
  const title = titles[data.status] ?? "Something went wrong here";
  const { site_name } = state.portico.config;
  const [href, words] = url.pathname.startsWith("/admin/")
    ? ["/admin/", "Go to the admin"]
    : ["/", "See what is here"];
  return (
    <main class="refusal">
      <Head>
        <title>{`${title} · ${site_name}`}</title>
      </Head>
      <p class="refusal-site">{site_name}</p>
      <h1>{title}</h1>
      <p>{data.text}</p>
      <p>
        <ButtonLink href={href} look="primary">{words}</ButtonLink>
      </p>
      <dl class="refusal-facts">
        <div>
          <dt>Status</dt>
          <dd>{data.status}</dd>
        </div>
        <div>
          <dt>Request id</dt>
          <dd>{state.client.requestId}</dd>
        </div>
      </dl>
    </main>
  );
});
