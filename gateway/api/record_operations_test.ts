/** Backends, users, tokens, publishing and the log, as the contract has them. */
import assert from "node:assert/strict";
import * as v from "valibot";
import type { LogRow } from "../records/log_row.ts";
import type { ServerState } from "../upstream/server_state.ts";
import { answerSchemas } from "./schemas.ts";
import { type ApiForTest, withSignedIn } from "./testing.ts";

const backend = {
  name: "Weather",
  servers: [{ host: "127.0.0.1", port: 3000 }],
  url_matches: [{ frontend_prefix: "/weather/", backend_prefix: "/" }],
};
const user = { email: "kim@example.org", first_name: "Kim", last_name: "Doe" };

/** The answer's JSON, after a look at its status. */
async function answered(response: Promise<Response>, status: number) {
  const { status: actual, headers } = await response;
  const text = await (await response).text();
  assert.equal(actual, status, text);
  return { headers, body: text === "" ? undefined : JSON.parse(text) };
}

async function refusedFields(response: Promise<Response>): Promise<string[]> {
  const { body } = await answered(response, 422);
  return body.errors.map(({ code, field }: { code: string; field: string }) => {
    assert.equal(code, "INVALID_INPUT");
    return field;
  });
}

const website = { frontend_host: "www.example.org", server_host: "127.0.0.1", server_port: 3000 };

for (
  const { list, input, change, another } of [
    { list: "backends", input: backend, change: { name: "Climate" } },
    {
      list: "website_backends",
      input: website,
      change: { server_port: 3001 },
      another: (number: number) => ({ ...website, frontend_host: `www${number}.example.org` }),
    },
    { list: "users", input: user, change: { first_name: "Robin" } },
  ]
) {
  const path = `/v1/${list}`;

  Deno.test(`${list}: created with 201, Location and ETag, then read bare`, () =>
    withSignedIn(async ({ call }) => {
      const created = await answered(call("POST", path, { json: input }), 201);
      assert.equal(created.headers.get("location"), `/admin/api${path}/${created.body.id}`);
      assert.equal(created.headers.get("etag"), '"1"');
      const read = await answered(call("GET", `${path}/${created.body.id}`), 200);
      const { api_key: _, ...record } = created.body;
      assert.deepEqual(read.body, record);
      assert.equal(read.headers.get("etag"), '"1"');
      for (const [name, value] of Object.entries(input)) assert.deepEqual(read.body[name], value);
      assert.equal(read.body.created_by, "anna@example.org");
    }));

  Deno.test(`${list}: changed with 200; fields left out keep their value`, () =>
    withSignedIn(async ({ call }) => {
      const { body: { id } } = await answered(call("POST", path, { json: input }), 201);
      const changed = await answered(call("PUT", `${path}/${id}`, { json: change }), 200);
      assert.equal(changed.headers.get("etag"), '"2"');
      const expected = { ...input, ...change };
      for (const [name, value] of Object.entries(expected)) {
        assert.deepEqual(changed.body[name], value);
      }
      const back = await answered(call("PUT", `${path}/${id}`, { json: changed.body }), 200);
      assert.equal(back.body.version, 3, "a record may be sent back as it was read");
    }));

  Deno.test(`${list}: deleted with 204; then it is 404`, () =>
    withSignedIn(async ({ call }) => {
      const { body: { id } } = await answered(call("POST", path, { json: input }), 201);
      assert.equal((await answered(call("DELETE", `${path}/${id}`), 204)).body, undefined);
      await answered(call("GET", `${path}/${id}`), 404);
      await answered(call("PUT", `${path}/${id}`, { json: change }), 404);
      await answered(call("DELETE", `${path}/${id}`), 404);
    }));

  Deno.test(`${list}: If-Match with another version is 412 and changes nothing`, () =>
    withSignedIn(async ({ call }) => {
      const { body: { id } } = await answered(call("POST", path, { json: input }), 201);
      const record = `${path}/${id}`;
      const when = (tag: string) => ({ json: change, headers: { "if-match": tag } });
      await answered(call("PUT", record, when('"2"')), 412);
      await answered(call("DELETE", record, { headers: { "if-match": '"7"' } }), 412);
      for (const tag of ['W/"1"', "1", '"x"', '"1", "2"', '""', '"01"']) {
        await answered(call("PUT", record, when(tag)), 400);
        await answered(call("DELETE", record, { headers: { "if-match": tag } }), 400);
      }
      assert.equal((await answered(call("GET", record), 200)).body.version, 1);
      await answered(call("PUT", record, when('"1"')), 200);
      await answered(call("PUT", record, when("*")), 200);
      await answered(call("DELETE", record, { headers: { "if-match": '"3"' } }), 204);
    }));

  Deno.test(`${list}: listed in pages, under the resource's name`, () =>
    withSignedIn(async ({ call }) => {
      const ids = [];
      for (let i = 0; i < 5; i++) {
        const json = another?.(i) ?? input;
        ids.push((await answered(call("POST", path, { json }), 201)).body.id);
      }
      const first = (await answered(call("GET", `${path}?limit=3`), 200)).body;
      assert.deepEqual(Object.keys(first), [list, "next_cursor", "total"]);
      const next = `${path}?limit=3&cursor=${encodeURIComponent(first.next_cursor)}`;
      const second = (await answered(call("GET", next), 200)).body;
      const listed = [...first[list], ...second[list]];
      assert.deepEqual(listed.map(({ id }: { id: string }) => id), ids);
      assert.deepEqual([first.total, second.total, second.next_cursor], [5, 5, null]);

      for (const limit of ["0", "1001", "-1", "1.5", "x", "1e2"]) {
        assert.deepEqual(await refusedFields(call("GET", `${path}?limit=${limit}`)), ["limit"]);
      }
      assert.deepEqual(await refusedFields(call("GET", `${path}?cursor=x`)), ["cursor"]);
    }));

  Deno.test(`${list}: an id that is none is 404, however it is spelled`, () =>
    withSignedIn(async ({ call }) => {
      for (const id of ["x", "00000000-0000-0000-0000-000000000000", "%00", "a%2Fb", "%E2%82%AC"]) {
        await answered(call("GET", `${path}/${id}`), 404);
      }
    }));
}

Deno.test("backends: bad input is 422 with every bad field by its path", () =>
  withSignedIn(async ({ call }) => {
    const json = {
      name: "",
      balance_algorithm: "random",
      servers: [{ host: "http://x", port: 0 }],
      url_matches: [],
      frontend_hots: "*",
    };
    const fields = await refusedFields(call("POST", "/v1/backends", { json }));
    assert.deepEqual(fields.sort(), [
      "balance_algorithm",
      "frontend_hots",
      "name",
      "servers[0].host",
      "servers[0].port",
      "url_matches",
    ]);
  }));

Deno.test("backends: what is left out at creation takes its default", () =>
  withSignedIn(async ({ call }) => {
    const { body } = await answered(call("POST", "/v1/backends", { json: backend }), 201);
    const { frontend_host, backend_protocol, balance_algorithm, backend_host } = body;
    assert.deepEqual(
      { frontend_host, backend_protocol, balance_algorithm, backend_host },
      {
        frontend_host: "*",
        backend_protocol: "http",
        balance_algorithm: "least_conn",
        backend_host: null,
      },
    );
  }));

Deno.test("backends: how the servers fare that it is live with, by all that serve; 404 of no backend", () =>
  withSignedIn(async ({ call, portico }) => {
    const { body: { id } } = await answered(call("POST", "/v1/backends", { json: backend }), 201);
    const health = `/v1/backends/${id}/health`;
    const draft = await answered(call("GET", health), 200);
    assert.deepEqual(draft.body, { servers: [] });

    const up: ServerState = {
      name: "127.0.0.1:3000",
      addresses: ["127.0.0.1"],
      dns_failure: null,
      busy: 1,
      idle: 2,
      condition: "up",
      failures: 0,
      left_out_until: null,
      last_failure: null,
      last_check: { at: "2026-01-01T00:00:00.000Z", message: "200", passed: true },
    };
    const leftOut: ServerState = {
      ...up,
      condition: "left_out",
      failures: 1,
      left_out_until: "2026-01-01T00:00:01.000Z",
      last_failure: { at: "2026-01-01T00:00:00.000Z", message: "cannot be reached" },
    };
    portico.serverHealth.feedFrom(([asked = ""]) =>
      Promise.resolve([new Map([[asked, [up]]]), new Map([[asked, [leftOut]]])])
    );
    const { body } = await answered(call("GET", health), 200);
    assert.deepEqual(v.parse(answerSchemas.BackendHealth, body), {
      servers: [{ ...leftOut, condition: "partly_up", busy: 2, idle: 4, up_in: 1, isolates: 2 }],
    });
    await answered(call("GET", "/v1/backends/none/health"), 404);
    await answered(call("GET", `/v1/backends/${id}/wealth`), 404);
    await answered(call("PUT", health, { json: backend }), 405);
  }));

Deno.test("users: the API key is in the answer to POST, once and nowhere else", () =>
  withSignedIn(async ({ call }) => {
    const { body } = await answered(call("POST", "/v1/users", { json: user }), 201);
    assert.match(body.api_key, /^ptk_[0-9A-Za-z]{36}$/);
    const read = await answered(call("GET", `/v1/users/${body.id}`), 200);
    const list = await answered(call("GET", "/v1/users"), 200);
    const put = await answered(call("PUT", `/v1/users/${body.id}`, { json: user }), 200);
    for (const answer of [read, list, put]) {
      const text = JSON.stringify(answer.body);
      assert.ok(!text.includes(body.api_key) && !text.includes("api_key_hash"));
    }
  }));

Deno.test("users: a search lists those it is found in", () =>
  withSignedIn(async ({ call }) => {
    await answered(call("POST", "/v1/users", { json: user }), 201);
    const other = { ...user, email: "robin@example.org" };
    await answered(call("POST", "/v1/users", { json: other }), 201);
    const { body } = await answered(call("GET", "/v1/users?search=ROBIN"), 200);
    assert.deepEqual([body.total, body.users[0].email], [1, "robin@example.org"]);
  }));

Deno.test("tokens: created with id, name and token; listed without it; revoked", () =>
  withSignedIn(async ({ call }) => {
    const { body } = await answered(call("POST", "/v1/tokens", { json: { name: "deploy" } }), 201);
    assert.deepEqual(Object.keys(body).sort(), ["id", "name", "token"]);
    const list = (await answered(call("GET", "/v1/tokens"), 200)).body;
    assert.deepEqual(Object.keys(list), ["tokens", "next_cursor", "total"]);
    assert.equal(list.total, 2);
    assert.ok(!JSON.stringify(list).includes(body.token));

    const headers = { authorization: `Bearer ${body.token}` };
    await answered(call("GET", "/v1/publish", { headers }), 200);
    await answered(call("DELETE", `/v1/tokens/${body.id}`), 204);
    await answered(call("GET", "/v1/publish", { headers }), 401);
    await answered(call("DELETE", `/v1/tokens/${body.id}`), 404);
  }));

Deno.test("tokens: listed in pages", () =>
  withSignedIn(async ({ call }) => {
    for (const name of ["a", "b"]) {
      await answered(call("POST", "/v1/tokens", { json: { name } }), 201);
    }
    const first = (await answered(call("GET", "/v1/tokens?limit=2"), 200)).body;
    const next = `/v1/tokens?limit=2&cursor=${first.next_cursor}`;
    const second = (await answered(call("GET", next), 200)).body;
    const names = [...first.tokens, ...second.tokens].map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["For the test", "a", "b"]);
    assert.equal(second.next_cursor, null);
    assert.deepEqual(await refusedFields(call("GET", "/v1/tokens?limit=0")), ["limit"]);
  }));

Deno.test("publish: lists what is new, modified and deleted, and makes it live", () =>
  withSignedIn(async ({ call, portico }) => {
    const { body: { id } } = await answered(call("POST", "/v1/backends", { json: backend }), 201);
    const changes = async () => {
      const { body } = await answered(call("GET", "/v1/publish"), 200);
      return body.changes.map((change: Record<string, unknown>) => [
        change.id,
        change.kind,
        change.name,
        change.change,
      ]);
    };
    assert.deepEqual(await changes(), [[id, "backend", "Weather", "new"]]);
    const json = { note: "first" };
    const { body } = await answered(call("POST", "/v1/publish", { json }), 201);
    assert.deepEqual(body, { version: 1 });
    assert.deepEqual(portico.publishing.live?.backends.map(({ name }) => name), ["Weather"]);
    assert.deepEqual(await changes(), []);

    await answered(call("PUT", `/v1/backends/${id}`, { json: { name: "Climate" } }), 200);
    assert.deepEqual(await changes(), [[id, "backend", "Climate", "modified"]]);
    await answered(call("DELETE", `/v1/backends/${id}`), 204);
    assert.deepEqual((await changes())[0]?.[3], "deleted");
    const empty = await answered(call("POST", "/v1/publish"), 201);
    assert.deepEqual(empty.body, { version: 2 }, "no body publishes all");
    await answered(call("POST", "/v1/publish"), 409);
  }));

Deno.test("publish: website backends are changes too, named like any others", () =>
  withSignedIn(async ({ call, portico }) => {
    const { body: { id } } = await answered(
      call("POST", "/v1/website_backends", { json: website }),
      201,
    );
    await answered(call("POST", "/v1/backends", { json: backend }), 201);
    const { body: { changes } } = await answered(call("GET", "/v1/publish"), 200);
    assert.deepEqual(
      changes.map(({ kind, name, change }: Record<string, string>) => [kind, name, change]),
      [["backend", "Weather", "new"], ["website_backend", "www.example.org", "new"]],
    );
    await answered(call("POST", "/v1/publish", { json: { ids: [id] } }), 201);
    assert.deepEqual(portico.publishing.live?.backends, []);
    assert.deepEqual(portico.publishing.live?.website_backends.map((site) => site.id), [id]);
    await answered(call("POST", "/v1/publish", { json: { ids: [id] } }), 409);

    await answered(call("DELETE", `/v1/website_backends/${id}`), 204);
    await answered(call("POST", "/v1/publish", { json: { ids: [id] } }), 201);
    assert.deepEqual(portico.publishing.live?.website_backends, []);
  }));

Deno.test("publish: only the ids named; an unknown one is 422", () =>
  withSignedIn(async ({ call, portico }) => {
    const ids = [];
    for (const prefix of ["/a/", "/b/"]) {
      const url_matches = [{ frontend_prefix: prefix }];
      const json = { ...backend, name: prefix, url_matches };
      ids.push((await answered(call("POST", "/v1/backends", { json }), 201)).body.id);
    }
    await answered(call("POST", "/v1/publish", { json: { ids: ["x"] } }), 422);
    await answered(call("POST", "/v1/publish", { json: { ids: "all" } }), 422);
    await answered(call("POST", "/v1/publish", { json: { ids: [ids[1]] } }), 201);
    assert.deepEqual(portico.publishing.live?.backends.map(({ name }) => name), ["/b/"]);
  }));

function record(api: ApiForTest, row: Partial<LogRow>): void {
  api.portico.callLog.record({
    request_id: "aaaaaaaaaaaaaaaaaaaa",
    request_at: Date.UTC(2030, 0, 1),
    request_method: "GET",
    request_scheme: "http",
    request_host: "api.example.org",
    request_path: "/weather/today",
    request_ip: "192.0.2.1",
    request_size: 0,
    response_status: 200,
    response_time: 12,
    response_size: 34,
    ...row,
  });
}

Deno.test("logs: newest first, with filters and pages", () =>
  withSignedIn(async (api) => {
    const at = (minute: number) => Date.UTC(2030, 0, 1, 0, minute);
    for (let i = 0; i < 5; i++) {
      record(api, { request_id: `id${i}`, request_at: at(i), response_status: i < 2 ? 403 : 200 });
    }
    const list = async (query: string) =>
      (await answered(api.call("GET", `/v1/logs${query}`), 200)).body;
    const ids = (page: { logs: { request_id: string }[] }) =>
      page.logs.map(({ request_id }) => request_id);

    const all = await list("");
    assert.deepEqual(Object.keys(all).sort(), ["logs", "next_cursor", "total"]);
    assert.deepEqual(ids(all), ["id4", "id3", "id2", "id1", "id0"]);
    assert.equal(all.logs[0].request_at, "2030-01-01T00:04:00.000Z");
    assert.equal(all.logs[0].request_url, "http://api.example.org/weather/today");
    assert.deepEqual(ids(await list("?response_status=403")), ["id1", "id0"]);
    const range = "?start_at=2030-01-01T00:01:00Z&end_at=2030-01-01T00:03:00Z";
    assert.deepEqual(ids(await list(range)), ["id2", "id1"]);
    const page = await list("?limit=4");
    assert.deepEqual([page.total, ids(page).length], [5, 4]);
    const next = encodeURIComponent(page.next_cursor);
    assert.deepEqual(ids(await list(`?limit=4&cursor=${next}`)), ["id0"]);
    assert.deepEqual(await refusedFields(api.call("GET", "/v1/logs?start_at=yesterday")), [
      "start_at",
    ]);
  }));

Deno.test("logs: one call by its request id; as CSV; as a chart", () =>
  withSignedIn(async (api) => {
    record(api, { request_user_agent: 'say "hi", twice' });
    const { body: entry } = await answered(api.call("GET", "/v1/logs/aaaaaaaaaaaaaaaaaaaa"), 200);
    assert.equal(entry.request_path, "/weather/today");
    await answered(api.call("GET", "/v1/logs/bbbbbbbbbbbbbbbbbbbb"), 404);

    const csv = await api.call("GET", "/v1/logs.csv?response_status=200");
    assert.equal(csv.headers.get("content-type"), "text/csv");
    assert.equal(csv.headers.get("content-disposition"), 'attachment; filename="logs.csv"');
    const lines = (await csv.text()).trimEnd().split("\r\n");
    assert.equal(lines.length, 2);
    assert.ok(lines[1]?.includes('"say ""hi"", twice"'));
    await answered(api.call("GET", "/v1/logs.csv?nonsense=1"), 422);

    const chart = (await answered(api.call("GET", "/v1/logs/histogram"), 200)).body;
    const counted = chart.buckets.reduce(
      (sum: number, { counts }: { counts: Record<string, number> }) => sum + (counts["2xx"] ?? 0),
      0,
    );
    assert.equal(counted, 1);
  }));
