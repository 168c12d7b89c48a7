/** No API backend yet: how to add one, in the form or with curl, and a public API to try. */
import { ButtonLink } from "../Button.tsx";
import { CreateByCurl } from "../CreateByCurl.tsx";
import { EmptyState } from "../EmptyState.tsx";

/** A public API that anybody may call. */
const HOST = "jsonplaceholder.typicode.com";

const example = {
  name: "JSONPlaceholder",
  backend_protocol: "https",
  backend_host: HOST,
  servers: [{ host: HOST, port: 443 }],
  url_matches: [{ frontend_prefix: "/example/", backend_prefix: "/" }],
};

/** The same as fields of the form, which takes them from its URL. */
const exampleFields = new URLSearchParams({
  name: "JSONPlaceholder",
  backend_protocol: "https",
  backend_host: HOST,
  "servers[0].host": HOST,
  "servers[0].port": "443",
  "url_matches[0].frontend_prefix": "/example/",
  "url_matches[0].backend_prefix": "/",
});

export function NoBackends({ baseUrl }: { baseUrl: string }) {
  return (
    <EmptyState
      title="No API backend yet"
      text={
        <>
          An API backend is a web service that you have already. Say where it is and under which
          path callers reach it; once you publish, Portico asks them for a key and passes their
          calls on.
        </>
      }
    >
      <div class="row">
        <ButtonLink href="/admin/backends/new" look="primary">Add an API backend</ButtonLink>
        <ButtonLink href={`/admin/backends/new?${exampleFields}`}>
          Try it with a public API
        </ButtonLink>
      </div>
      <CreateByCurl
        baseUrl={baseUrl}
        resource="backends"
        example={example}
        noun="an API backend"
      />
    </EmptyState>
  );
}
