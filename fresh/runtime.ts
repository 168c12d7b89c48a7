// `fresh/runtime`: what components use on the server and in the browser.
export { asset, assetSrcSet } from "./runtime/asset.ts";
export { Head, type HeadProps } from "./runtime/head.ts";
export { HttpError } from "./runtime/http_error.ts";
export { Partial, type PartialProps } from "./runtime/partial.ts";

/** True in the browser, false while the server renders. */
export const IS_BROWSER: boolean = typeof document !== "undefined";
