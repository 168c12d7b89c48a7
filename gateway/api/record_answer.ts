/** How one record is answered: bare, with its version as the ETag. */
import type { RecordStamps } from "../records/stamps.ts";
import { entityTag } from "./entity_tag.ts";
import type { Answer } from "./operation.ts";

export type VersionedRecord = Pick<RecordStamps, "id" | "version">;

export function recordAnswer(record: VersionedRecord): Answer {
  return { body: record, headers: { etag: entityTag(record.version) } };
}

/** For a record just created: `collection` is its list's path, `/admin/api/v1/users`. */
export function createdAnswer(record: VersionedRecord, collection: string): Answer {
  const headers = { etag: entityTag(record.version), location: `${collection}/${record.id}` };
  return { body: record, headers };
}
