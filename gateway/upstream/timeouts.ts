/** How long the steps of a call may take, all in ms. */
export interface UpstreamTimeouts {
  readonly connect: number;
  /** Between bytes read. */
  readonly read: number;
  /** Between bytes written. */
  readonly send: number;
  /** For a whole call; null: no limit. */
  readonly total: number | null;
}

/** Of a connection that has not been given a call yet. */
export const UNLIMITED: UpstreamTimeouts = {
  connect: Infinity,
  read: Infinity,
  send: Infinity,
  total: null,
};
