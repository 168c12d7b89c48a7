/** A new API key, shown this once, and how to call the published APIs with it. */
import type { ApiKeyMethod } from "@/gateway/exchange/api_key.ts";
import { waysToSend } from "@/gateway/keys/ways_to_send.ts";
import { CopyBox } from "./CopyBox.tsx";
import { curlLine, type PublishedApi } from "./published_api.ts";
import { ShownOnce } from "./ShownOnce.tsx";

/** More would bury the page; the homepage lists them all. */
const APIS_SHOWN = 20;

interface IssuedKeyProps {
  readonly apiKey: string;
  readonly apis: readonly PublishedApi[];
  /** This server's, for an example while nothing is published. */
  readonly baseUrl: string;
  /** The ways to send a key that this server takes, the first that counts first. */
  readonly methods: readonly ApiKeyMethod[];
}

export function IssuedKey({ apiKey, apis, baseUrl, methods }: IssuedKeyProps) {
  const callable = apis.filter((api) => api.needsKey);
  const { protocol } = new URL(callable[0]?.urls[0] ?? baseUrl);
  return (
    <div class="stack stack-wide">
      <header class="stack">
        <h1>Your API key</h1>
        <ShownOnce id="api-key" secret={apiKey} label="API key">
          Copy it now and keep it like a password: the server does not know it in clear, and nobody
          can look it up for you. Reloading this page would ask for another key.
        </ShownOnce>
      </header>
      <FirstCall apis={callable} apiKey={apiKey} method={methods[0] ?? "header"} />
      <WaysToSend methods={methods} protocol={protocol} />
    </div>
  );
}

interface FirstCallProps {
  readonly apis: readonly PublishedApi[];
  readonly apiKey: string;
  readonly method: ApiKeyMethod;
}

/** Without script a list can be opened line by line, which a select could not. */
function FirstCall({ apis, apiKey, method }: FirstCallProps) {
  const [only] = apis;
  if (only === undefined) {
    return (
      <section class="stack" aria-labelledby="first-call">
        <h2 id="first-call">Make your first call</h2>
        <p class="muted">
          No API is published here yet. As soon as one is, the <a href="/">homepage</a>{" "}
          lists it, and your key opens it.
        </p>
      </section>
    );
  }
  return (
    <section class="stack" aria-labelledby="first-call">
      <h2 id="first-call">Make your first call</h2>
      {apis.length === 1
        ? <CallLine id="call-0" api={only} apiKey={apiKey} method={method} />
        : (
          <div class="calls">
            {apis.slice(0, APIS_SHOWN).map((api, index) => (
              <details key={`${api.name} ${index}`} class="section" name="api" open={index === 0}>
                <summary class="disclosure">
                  <span class="section-title">{api.name}</span>
                </summary>
                <div class="section-body">
                  <CallLine id={`call-${index}`} api={api} apiKey={apiKey} method={method} />
                </div>
              </details>
            ))}
          </div>
        )}
      {apis.length > APIS_SHOWN && (
        <p>
          <a href="/">All {apis.length} APIs</a>
        </p>
      )}
    </section>
  );
}

interface CallLineProps {
  readonly id: string;
  readonly api: PublishedApi;
  readonly apiKey: string;
  readonly method: ApiKeyMethod;
}

function CallLine({ id, api, apiKey, method }: CallLineProps) {
  const [url = ""] = api.urls;
  return (
    <CopyBox id={id} text={curlLine(url, apiKey, method)} label={`curl line for ${api.name}`} />
  );
}

interface WaysToSendProps {
  readonly methods: readonly ApiKeyMethod[];
  readonly protocol: string;
}

function WaysToSend({ methods, protocol }: WaysToSendProps) {
  return (
    <section class="stack" aria-labelledby="ways">
      <h2 id="ways">{methods.length === 1 ? "How to send it" : "Ways to send it"}</h2>
      <ol class="ways">
        {methods.map((method) => (
          <li key={method}>
            <h3>{waysToSend[method].title}</h3>
            <p class="muted">{waysToSend[method].text}</p>
            <code>{waysToSend[method].example(protocol)}</code>
          </li>
        ))}
      </ol>
      {methods.length > 1 && (
        <p class="muted small">If a call carries more than one key, the first of these counts.</p>
      )}
    </section>
  );
}
