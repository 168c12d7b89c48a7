/**
 * A connection after it has switched protocols (RFC 9110 §7.8): bytes both ways, and
 * no HTTP any more. The call that asked for it goes on until it is closed.
 */
import type { DeadlineWatch } from "../deadlines.ts";
import type { UpstreamTimeouts } from "./timeouts.ts";

export interface Tunnel {
  /** What the server has sent right behind its head; lies in `buffer`. */
  readonly first: Uint8Array<ArrayBuffer>;
  /** Memory of the connection to read into; there is none to ask for while nothing comes. */
  readonly buffer: Uint8Array<ArrayBuffer>;
  readonly timeouts: UpstreamTimeouts;
  readonly watch: DeadlineWatch;

  /**
   * Reads some bytes into `bytes`: their count, or null at the end of the connection.
   *
   * @throws {UpstreamFault} also when nothing came for as long as `timeouts.read` says
   */
  read(bytes: Uint8Array): Promise<number | null>;

  /**
   * Writes all of `bytes`; one at a time.
   *
   * @throws {UpstreamFault} also when nothing was taken for as long as `timeouts.send` says
   */
  write(bytes: Uint8Array): Promise<void>;

  /** Closes the connection, which ends the call. Does nothing when it is closed already. */
  close(): void;
}
