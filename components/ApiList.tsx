/** The published APIs: name, addresses, and which of them may be called without a key. */
import { Pill } from "./Pill.tsx";
import type { PublishedApi } from "./published_api.ts";

export function ApiList({ apis }: { apis: readonly PublishedApi[] }) {
  return (
    <section class="stack" aria-labelledby="apis">
      <h2 id="apis">APIs</h2>
      <ul class="apis">
        {apis.map((api) => (
          <li key={`${api.name} ${api.urls[0]}`}>
            <div class="row">
              <h3>{api.name}</h3>
              {!api.needsKey && <Pill tone="neutral">No key needed</Pill>}
            </div>
            <ul>
              {api.urls.map((url) => (
                <li key={url}>
                  <code>{url}</code>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  );
}
