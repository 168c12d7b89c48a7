/** A URL that was pasted where a host alone belongs, in its parts. */

export interface PastedUrl {
  /** `http://`, or nothing. */
  readonly scheme: string;
  readonly host: string;
  /** Digits, or nothing. */
  readonly port: string;
  /** From the first slash on, or nothing. */
  readonly path: string;
}

const PARTS = /^([a-z][a-z0-9+.-]*:\/\/)?(\[[^\]]+\]|[^\s/?#@:[\]]+)(?::(\d+))?([/?#].*)?$/i;

/** The parts of a text; null when it is a host alone, or nothing that has a host in it. */
export function pastedUrl(text: string): PastedUrl | null {
  const [, scheme = "", host = "", port = "", path = ""] = PARTS.exec(text.trim()) ?? [];
  return host === "" || scheme + port + path === "" ? null : { scheme, host, port, path };
}

/**
 * What to write instead: `without “http://” and path: 127.0.0.1, and the port in its
 * own field`. Null when nothing is too much. `portField` says whether there is one.
 */
export function hostAdvice(text: string, portField: boolean): string | null {
  const pasted = pastedUrl(text);
  if (pasted === null) return null;
  const surplus = [
    pasted.scheme !== "" && `“${pasted.scheme}”`,
    pasted.path !== "" && "path",
    pasted.port !== "" && pasted.scheme + pasted.path === "" && "port",
  ].filter((part) => part !== false);
  const port = pasted.port !== "" && portField ? ", and the port in its own field" : "";
  return `without ${surplus.join(" and ")}: ${pasted.host}${port}`;
}
