/**
 * The configuration's keys, read off its schema: what the environment variables,
 * the unknown-key check and the example file go by.
 */
import * as v from "valibot";
import type { KeyNotes } from "./key.ts";
import type { KeyPath } from "./problems.ts";
import { configurationSchema } from "./schema.ts";

export interface ConfigurationKey {
  readonly path: readonly string[];
  readonly description: string;
  readonly notes: KeyNotes;
  /** What holds when the key is left out, before anything is derived from other keys. */
  readonly fallback: unknown;
  /** Its value is a group of further keys, which merge over the defaults one by one. */
  readonly isGroup: boolean;
}

/** A schema with whatever holds further schemas inside it. */
interface SchemaNode {
  readonly wrapped?: SchemaNode;
  readonly pipe?: readonly SchemaNode[];
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly item?: SchemaNode;
  readonly type?: string;
}

const root = configurationSchema as unknown as SchemaNode;

/** What a schema is beneath its wrappers and pipes. */
function core(schema: SchemaNode): SchemaNode {
  if (schema.wrapped !== undefined) return core(schema.wrapped);
  if (schema.entries !== undefined || schema.item !== undefined) return schema;
  const structure = schema.pipe?.find((part) => part !== schema && part.entries !== undefined);
  return structure ?? schema;
}

function child(schema: SchemaNode, step: string | number): SchemaNode | undefined {
  const { entries, item } = core(schema);
  if (typeof step === "number") return item;
  return entries !== undefined && Object.hasOwn(entries, step) ? entries[step] : undefined;
}

function schemaAt(path: KeyPath): SchemaNode | undefined {
  return path.reduce<SchemaNode | undefined>((at, step) => at && child(at, step), root);
}

/** The keys allowed inside the group at `path`, or undefined where it is no group. */
export function keysWithin(path: KeyPath): readonly string[] | undefined {
  const schema = schemaAt(path);
  const entries = schema === undefined ? undefined : core(schema).entries;
  return entries === undefined ? undefined : Object.keys(entries);
}

/** The key at `path`, or undefined where the configuration has none. */
export function keyAt(path: KeyPath): ConfigurationKey | undefined {
  const schema = schemaAt(path) as unknown as v.GenericSchema | undefined;
  if (schema === undefined) return undefined;
  return {
    path: path.map(String),
    description: v.getDescription(schema) ?? "",
    notes: v.getMetadata(schema) as KeyNotes,
    fallback: v.getDefault(schema) ?? null,
    isGroup: keysWithin(path) !== undefined,
  };
}

/**
 * Whether the value at `path` must not be shown: it, or what holds it, is marked so
 * in the schema, or it is a header's value, which may carry a backend's password.
 */
export function isSecret(path: KeyPath): boolean {
  if (path.at(-1) === "value") return true;
  return path.some((_, index) => keyAt(path.slice(0, index + 1))?.notes.secret === true);
}

/** Whether the key takes text alone, so that `2024` and `on` are text to it as well. */
export function takesText(path: KeyPath): boolean {
  const schema = schemaAt(path);
  return schema !== undefined && core(schema).type === "string";
}

/** Every key, a group before its keys, in the order of the schema. */
export const configurationKeys: readonly ConfigurationKey[] = keysBelow([]);

function keysBelow(path: readonly string[]): ConfigurationKey[] {
  return (keysWithin(path) ?? []).flatMap((name) => {
    const at = [...path, name];
    const key = keyAt(at);
    return key === undefined ? [] : [key, ...keysBelow(at)];
  });
}
