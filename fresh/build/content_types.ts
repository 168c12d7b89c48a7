// Media types of static files, by extension.

const TEXT: Record<string, string> = {
  css: "text/css",
  csv: "text/csv",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  svg: "image/svg+xml",
  txt: "text/plain",
  webmanifest: "application/manifest+json",
  xml: "application/xml",
};

const BINARY: Record<string, string> = {
  avif: "image/avif",
  gif: "image/gif",
  ico: "image/vnd.microsoft.icon",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  wasm: "application/wasm",
  webm: "video/webm",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  zip: "application/zip",
};

/** The `Content-Type` of a file; bytes of no particular kind when its extension says nothing. */
export function contentTypeOf(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const text = TEXT[extension];
  if (text) return `${text}; charset=utf-8`;
  return BINARY[extension] ?? "application/octet-stream";
}
