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

/** Of a record that is a draft until it is published. */
export interface DraftStamps extends RecordStamps {
  /** The place in the order of creation, from 1; of two that are alike in rank the lower wins. */
  readonly created_order: number;
}
