import assert from "node:assert/strict";
import * as v from "valibot";
import { operations } from "./operations.ts";
import { answerSchemas } from "./schemas.ts";
import { withApi, withSignedIn } from "./testing.ts";

interface Described {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly { name: string; in: string }[];
  readonly requestBody?: unknown;
  readonly responses: Record<string, unknown>;
}

interface Description {
  readonly openapi: string;
  readonly servers: readonly { url: string }[];
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>> };
}

async function description(call: (method: string, path: string) => Promise<Response>) {
  const response = await call("GET", "/openapi.json");
  assert.equal(response.status, 200);
  return await response.json() as Description;
}

function described({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
  );
}

/** Every `$ref` in a document. */
function references(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner] : references(inner)
  );
}

Deno.test("the description is OpenAPI 3.1, for everybody, with this server's address", () =>
  withApi(async ({ call, origin }) => {
    const { openapi, servers } = await description(call);
    assert.equal(openapi, "3.1.0");
    assert.deepEqual(servers, [{ url: origin }]);
  }));

Deno.test("every reference in it leads to a schema, and every schema is used", () =>
  withApi(async ({ call }) => {
    const document = await description(call);
    const names = Object.keys(document.components.schemas);
    const used = new Set(references(document));
    for (const reference of used) {
      assert.ok(names.includes(reference.replace("#/components/schemas/", "")), reference);
    }
    for (const name of names) assert.ok(used.has(`#/components/schemas/${name}`), name);
  }));

Deno.test("it holds every operation of the table, under a name of its own", () =>
  withApi(async ({ call }) => {
    const all = described(await description(call));
    assert.equal(all.length, operations.length);
    assert.equal(new Set(all.map(({ operation }) => operation.operationId)).size, all.length);
  }));

Deno.test("every operation in it answers, and with a status that it describes", () =>
  withSignedIn(async (api) => {
    for (const { path, method, operation } of described(await description(api.call))) {
      const signedIn = operation.operationId === "logOut" ? {} : { json: {} };
      const response = await api.call(
        method.toUpperCase(),
        path.replace("/admin/api", "").replace(/\{\w+\}/, "x"),
        operation.requestBody === undefined ? {} : signedIn,
      );
      const id = `${operation.operationId} answered ${response.status}`;
      assert.notEqual(response.status, 405, id);
      if (response.status === 404) assert.ok(path.includes("{"), id);
      assert.ok(String(response.status) in operation.responses, id);
      await response.body?.cancel();
    }
  }));

Deno.test("operations that need an admin say so, and say what is wrong without one", () =>
  withApi(async ({ call }) => {
    const open = [];
    for (const { operation } of described(await description(call))) {
      if (operation.security.length === 0) open.push(operation.operationId);
      else assert.ok("401" in operation.responses && "403" in operation.responses);
    }
    assert.deepEqual(open, ["setUp", "logIn", "logOut", "describeApi"]);
  }));

Deno.test("a path's parameter, the page of a list and If-Match are described", () =>
  withApi(async ({ call }) => {
    const { paths } = await description(call);
    const names = (path: string, method: string) =>
      paths[`/admin/api/v1${path}`]?.[method]?.parameters.map((one) => `${one.in} ${one.name}`);
    assert.deepEqual(names("/backends/{id}", "put"), ["path id", "header If-Match"]);
    assert.deepEqual(names("/users", "get"), [
      "query limit",
      "query cursor",
      "query search",
      "query state",
      "query role",
    ]);
    assert.ok(names("/logs", "get")?.includes("query response_status"));
  }));

Deno.test("what is described as input is what validates; a change may leave out any field", () =>
  withApi(async ({ call }) => {
    const { components: { schemas } } = await description(call);
    const { BackendInput, BackendChange, Setup, UserInput } = schemas;
    assert.deepEqual(UserInput?.required, ["email", "first_name", "last_name"]);
    assert.deepEqual(BackendInput?.required, ["name", "servers", "url_matches"]);
    assert.deepEqual(BackendChange?.required, []);
    assert.ok(JSON.stringify(Setup).includes('"minLength":14'), "the configured length");
  }));

Deno.test("what is answered has the shape that is described", () =>
  withSignedIn(async ({ call }) => {
    const backend = {
      name: "Weather",
      servers: [{ host: "127.0.0.1", port: 3000 }],
      url_matches: [{ frontend_prefix: "/weather/", backend_prefix: "/" }],
    };
    const person = { email: "kim@example.org", first_name: "Kim", last_name: "Doe" };
    const answers = [
      ["Backend", "POST", "/v1/backends", backend],
      ["BackendList", "GET", "/v1/backends", undefined],
      ["NewUser", "POST", "/v1/users", person],
      ["UserList", "GET", "/v1/users", undefined],
      ["NewToken", "POST", "/v1/tokens", { name: "deploy" }],
      ["TokenList", "GET", "/v1/tokens", undefined],
      ["Changes", "GET", "/v1/publish", undefined],
      ["Published", "POST", "/v1/publish", {}],
      ["LogList", "GET", "/v1/logs", undefined],
      ["Histogram", "GET", "/v1/logs/histogram", undefined],
    ] as const;
    for (const [name, method, path, json] of answers) {
      const body = await (await call(method, path, { json })).json();
      const result = v.safeParse(answerSchemas[name], body);
      assert.deepEqual(result.issues, undefined, name);
      const { entries } = answerSchemas[name];
      assert.deepEqual(Object.keys(body).filter((key) => !(key in entries)), [], name);
    }
  }));
