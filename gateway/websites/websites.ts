/** Website backends, as drafts. No two of them are for the same host. */
import { Drafts } from "../drafts/drafts.ts";
import { hostName } from "../exchange/host_name.ts";
import { type WebsiteBackendInput, websiteBackendInput } from "../records/website.ts";
import { websiteKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

export class Websites extends Drafts<WebsiteBackendInput> {
  constructor(store: Store) {
    super(store, {
      name: "website_backends",
      noun: "website backend",
      schema: websiteBackendInput,
      indexes: ({ id, frontend_host }) => [
        { key: websiteKeys.byHost(hostName(frontend_host)), value: id, unique: "frontend_host" },
      ],
    });
  }
}
