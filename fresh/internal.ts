// `fresh/internal`: for `_fresh/server.js`, which a build writes. Not for apps.
export { applySnapshot } from "./server/snapshot.ts";
