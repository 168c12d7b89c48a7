/**
 * The validation schemas as JSON Schema 2020-12, for the API's description.
 * Rules that JSON Schema has no words for are left out there, and still hold.
 */
import { type JsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import type { Configuration } from "../config/configuration.ts";
import { answerSchemas, inputSchemas } from "./schemas.ts";

type Schemas = Record<string, JsonSchema>;

/** Name under which a body is described whose fields may be left out. */
export function partialName(name: string): string {
  return name.replace(/Input$/, "Change");
}

/** Every shape by its name; shapes within shapes are references. */
export function jsonSchemas(config: Configuration, partial: ReadonlySet<string>): Schemas {
  const inputs = Object.fromEntries(
    Object.entries(converted(inputSchemas(config), "input"))
      .map(([name, schema]) => [name, withRequired(schema)] as const),
  );
  const changes = Object.entries(inputs)
    .filter(([name]) => partial.has(name))
    .map(([name, schema]) => [partialName(name), withoutDefaults(schema)] as const);
  const answers = Object.entries(converted(answerSchemas, "output"))
    .map(([name, schema]) => [name, asAnswered(schema)] as const);
  return { ...inputs, ...Object.fromEntries(changes), ...Object.fromEntries(answers) };
}

function converted(
  schemas: Parameters<typeof toJsonSchemaDefs>[0],
  typeMode: "input" | "output",
): Schemas {
  return toJsonSchemaDefs(schemas, {
    typeMode,
    target: "draft-2020-12",
    errorMode: "ignore",
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
}

/**
 * A field that is missing may be validated as an empty one, for the sake of its
 * message; where empty is refused, it is required.
 */
function withRequired(schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {});
  const required = properties.filter(([, property]) => refusesDefault(property));
  const names = required.map(([name]) => name);
  const honest = required.map(([name, property]) => [name, withoutDefault(property)] as const);
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(honest) },
    required: [...schema.required ?? [], ...names],
  };
}

function refusesDefault(property: JsonSchema | boolean): boolean {
  if (typeof property === "boolean" || property.default !== "") return false;
  return [property, ...property.anyOf ?? []].some((choice) =>
    typeof choice === "object" && (choice.minLength ?? 0) > 0
  );
}

/** Every field may be left out, and then keeps its value instead of taking a default. */
function withoutDefaults(schema: JsonSchema): JsonSchema {
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .map(([name, property]) => [name, withoutDefault(property)]),
  );
  return { ...schema, properties, required: [] };
}

function withoutDefault(property: JsonSchema | boolean): JsonSchema | boolean {
  if (typeof property === "boolean") return property;
  const { default: _, ...rest } = property;
  return rest;
}

/**
 * A shape as it is answered: a field with a default is always there, null only if
 * that is its default; and fields may be added in time.
 */
function asAnswered(schema: JsonSchema): JsonSchema {
  const { additionalProperties: _, ...answered } = mapped(schema, asAnswered);
  const required = new Set(answered.required);
  const properties = Object.entries(answered.properties ?? {}).map(([name, property]) => {
    if (typeof property === "boolean" || property.default === undefined) return [name, property];
    required.add(name);
    const { default: fallback, ...rest } = property;
    return [name, fallback === null ? rest : withoutNull(rest)];
  });
  if (answered.properties === undefined) return answered;
  return { ...answered, properties: Object.fromEntries(properties), required: [...required] };
}

/** `{anyOf: [X, null]}` as X. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const choices = schema.anyOf?.filter((choice) =>
    typeof choice === "boolean" || choice.type !== "null"
  );
  const [only] = choices ?? [];
  return choices?.length === 1 && typeof only === "object" ? only : schema;
}

/** The schema with `change` made to every schema within it. */
function mapped(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const each = <S extends JsonSchema | boolean>(inner: S) =>
    typeof inner === "boolean" ? inner : change(inner);
  const { properties, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, each(property)]),
      ),
    }),
    ...(items && { items: Array.isArray(items) ? items.map(each) : each(items) }),
    ...(anyOf && { anyOf: anyOf.map(each) }),
  };
}
