/**
 * Chooses the certificate for the name that a client asks for (SNI, RFC 6066 §3). The
 * listener asks once for each name and keeps the answer for as long as it is open, also
 * that there is none. Anybody can ask for names without end, so what that takes is
 * counted, and the listener has to be replaced when it is too much.
 */
import { HostTable } from "../exchange/host_table.ts";
import { hostName } from "../exchange/host_name.ts";
import type { Certificate, HttpsCertificates } from "../process/certificates.ts";

/**
 * Names of no host that get the fallback; those after them are
 * refused, which takes less memory.
 */
const STRANGERS_MAX = 1000;
/** Bytes that the names of one listener may take; measured, they take about what is counted. */
const MEMORY_MAX = 64 * 1024 * 1024;
/** Bytes that a name takes besides its certificate. */
const NAME_BYTES = 600;

/** No host of that name is served. Ends the handshake. */
export class UnknownName extends Error {
  override readonly name = "UnknownName";
}

export class CertificatesByName {
  readonly #fallback: Certificate;
  readonly #byHost: HostTable<Certificate>;
  readonly #fallbackHosts: HostTable<Certificate>;
  readonly #onSpent: () => void;
  readonly #memoryMax: number;
  #strangers = 0;
  #memory = 0;
  #isSpent = false;

  /** `onSpent`: told once, when the listener that asks has come to keep too much. */
  constructor(
    { fallback, fallbackHosts, byHost }: HttpsCertificates,
    onSpent: () => void,
    memoryMax: number = MEMORY_MAX,
  ) {
    this.#fallback = fallback;
    this.#byHost = new HostTable(
      byHost.map(({ hostname, certificate }) => [hostName(hostname), certificate]),
    );
    this.#fallbackHosts = new HostTable(fallbackHosts.map((name) => [hostName(name), fallback]));
    this.#onSpent = onSpent;
    this.#memoryMax = memoryMax;
  }

  /**
   * The certificate for a name, which is empty when the client gives none.
   * Throws `UnknownName` when too many have asked for names of no host.
   */
  choose(name: string): Certificate {
    const host = hostName(name);
    for (const hosts of [this.#byHost, this.#fallbackHosts]) {
      const own = hosts.find(host);
      if (own === undefined) continue;
      // There are only so many of those that a host is named by.
      if (hosts.named(host) === undefined) this.#count(own);
      return own;
    }
    if (name === "") return this.#fallback;
    if (this.#strangers >= STRANGERS_MAX) {
      this.#count(null);
      throw new UnknownName(`no host is called ${name}`);
    }
    this.#strangers++;
    this.#count(this.#fallback);
    return this.#fallback;
  }

  #count(kept: Certificate | null): void {
    this.#memory += NAME_BYTES + (kept === null ? 0 : kept.cert.length + kept.key.length);
    if (this.#isSpent || this.#memory <= this.#memoryMax) return;
    this.#isSpent = true;
    this.#onSpent();
  }
}
