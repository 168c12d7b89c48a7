/** What the store itself writes into every record. */

/** Fields every stored record carries. Times are ISO 8601 in UTC. */
export interface RecordStamps {
  readonly id: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
  /** Grows by one with every change; the ETag, in quotes. */
  readonly version: number;
}
