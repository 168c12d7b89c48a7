/** Website backends, as drafts: nothing here changes a request until it is published. */
import type { Operation } from "./operation.ts";
import { recordOperations } from "./record_operations.ts";

export const websiteOperations: readonly Operation[] = recordOperations({
  collection: "website_backends",
  names: ["WebsiteBackend", "WebsiteBackends"],
  tag: "Website backends",
  description: "The website backend",
  summaries: {
    list: "List website backends.",
    create: "Create a website backend. It takes requests once it is published.",
    get: "Read a website backend.",
    change: "Change a website backend. Fields left out keep their value.",
    remove: "Delete a website backend. It takes requests until that is published.",
  },
  schemas: { input: "WebsiteBackendInput", answer: "WebsiteBackend", list: "WebsiteBackendList" },
  records: ({ websites }) => websites,
});
