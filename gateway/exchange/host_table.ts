/**
 * What belongs to a host, by patterns such as `a.example.org`, `*.example.org`,
 * `.example.org` and `*`: the longest one that matches a host has it.
 */

export class HostTable<T> {
  readonly #exact = new Map<string, T>();
  /** `*.x` and `.x`, by `x`. */
  readonly #subdomains = new Map<string, T>();
  #any: T | undefined;

  /**
   * `entries`: lower case and without a port (`hostName`). Of two that
   * are alike the first counts.
   */
  constructor(entries: Iterable<readonly [hostPattern: string, value: T]>) {
    // A name alone comes before `.name`, which stands for the same and more.
    const ordered = [...entries].sort(([a], [b]) => Number(isWildcard(a)) - Number(isWildcard(b)));
    for (const [pattern, value] of ordered) this.#add(pattern, value);
  }

  #add(pattern: string, value: T): void {
    if (pattern === "*") this.#any ??= value;
    else if (pattern.startsWith("*.")) addFirst(this.#subdomains, pattern.slice(2), value);
    else if (pattern.startsWith(".")) {
      addFirst(this.#subdomains, pattern.slice(1), value);
      addFirst(this.#exact, pattern.slice(1), value);
    } else addFirst(this.#exact, pattern, value);
  }

  /** What the host (lower case, no port) has. */
  find(host: string): T | undefined {
    return this.named(host) ?? this.#bySubdomain(host) ?? this.#any;
  }

  /** What a pattern has that names this very host. */
  named(host: string): T | undefined {
    return this.#exact.get(host);
  }

  #bySubdomain(host: string): T | undefined {
    if (this.#subdomains.size === 0) return undefined;
    for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
      const value = this.#subdomains.get(host.slice(dot + 1));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function isWildcard(pattern: string): boolean {
  return pattern.startsWith("*") || pattern.startsWith(".");
}

function addFirst<T>(values: Map<string, T>, host: string, value: T): void {
  if (!values.has(host)) values.set(host, value);
}
