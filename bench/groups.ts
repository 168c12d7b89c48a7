/** What is measured, in groups of cases that are measured side by side. */
import { callersInTurn, get, type Group, post, unknownKeys, withoutKey } from "./cases.ts";
import type { StartGateway } from "./gateway.ts";
import { caller } from "./guard.ts";
import type { Machine } from "./machine.ts";
import { nginxLua, nginxPlain } from "./nginx/gateways.ts";
import { nodeProxy } from "./peers/packages.ts";
import { portico } from "./portico.ts";

const plain = portico({ guarded: false });
const guarded = portico({ guarded: true });
const thousands = portico({ guarded: true, users: 10_000 });
const million = portico({ guarded: true, users: 1_000_000 });
const lua = nginxLua();
const direct: StartGateway = ({ upstream }) => Promise.resolve({ ...upstream, keys: [] });

const small = get("/api/small");
const large = get("/api/100k");
const upload = post("/api/post", 10_240);
const flood = unknownKeys("/api/small");

const gateways: Group = {
  name: "gateways",
  title: "Gateways: a GET answered with 158 bytes",
  base: "guarded",
  cases: [
    { name: "guarded", title: "Portico guarded", start: guarded, load: small },
    { name: "plain", title: "Portico plain", start: plain, load: small },
    { name: "nginx", title: "nginx proxy_pass", start: nginxPlain, load: small, needs: "nginx" },
    {
      name: "nginx-lua",
      title: "nginx + Lua, guarded",
      start: lua,
      load: small,
      needs: "nginxLua",
    },
    { name: "fastify", title: "fastify-http-proxy", start: nodeProxy("fastify.cjs"), load: small },
    {
      name: "http-proxy-3",
      title: "http-proxy-3, with a keep-alive agent",
      start: nodeProxy("http_proxy_3.cjs", "keep-alive"),
      load: small,
    },
    {
      name: "http-proxy-3-bare",
      title: "http-proxy-3, as it comes",
      start: nodeProxy("http_proxy_3.cjs"),
      load: small,
    },
  ],
};

const https: Group = {
  name: "https",
  title: "HTTPS in",
  base: "http",
  cases: [
    { name: "http", title: "Portico guarded, HTTP in", start: guarded, load: small },
    {
      name: "guarded-https",
      title: "Portico guarded, HTTPS in",
      start: portico({ guarded: true, https: true }),
      load: small,
    },
    {
      name: "nginx-lua-https",
      title: "nginx + Lua, HTTPS in",
      start: nginxLua({ https: true }),
      load: small,
      needs: "nginxLua",
    },
  ],
};

const many: Group = {
  name: "many",
  title: "Portico guarded, with many backends, keys and callers",
  base: "one",
  cases: [
    { name: "one", title: "1 backend, 1 key", start: guarded, load: small },
    {
      name: "backends",
      title: "10,000 backends",
      start: portico({ guarded: true, backends: 10_000 }),
      load: small,
    },
    { name: "keys", title: "1,000,000 keys", start: million, load: small },
    {
      name: "callers",
      title: "10,000 keys, each in turn",
      start: thousands,
      load: callersInTurn("/api/small"),
    },
    {
      name: "keys-callers",
      title: "1,000,000 keys, 10,000 in turn",
      start: million,
      load: callersInTurn("/api/small"),
    },
  ],
};

const bodies: Group = {
  name: "bodies",
  title: "Bodies",
  base: "plain-100k",
  cases: [
    { name: "plain-100k", title: "Portico plain, 100 KiB", start: plain, load: large },
    { name: "guarded-100k", title: "Portico guarded, 100 KiB", start: guarded, load: large },
    {
      name: "nginx-100k",
      title: "nginx proxy_pass, 100 KiB",
      start: nginxPlain,
      load: large,
      needs: "nginx",
    },
    {
      name: "guarded-1k",
      title: "Portico guarded, 1 KiB",
      start: guarded,
      load: get("/api/1k"),
    },
    { name: "guarded-post", title: "Portico guarded, POST 10 KiB", start: guarded, load: upload },
    {
      name: "nginx-lua-post",
      title: "nginx + Lua, POST 10 KiB",
      start: lua,
      load: upload,
      needs: "nginxLua",
    },
  ],
};

const refusals: Group = {
  name: "refusals",
  title: "Refusals",
  base: "let-through",
  cases: [
    { name: "let-through", title: "Portico guarded, let through", start: guarded, load: small },
    { name: "unknown-key", title: "Portico, unknown keys", start: guarded, load: flood },
    {
      name: "no-key",
      title: "Portico, no key",
      start: guarded,
      load: withoutKey("/api/small"),
    },
    {
      name: "nginx-lua-unknown-key",
      title: "nginx + Lua, unknown keys",
      start: lua,
      load: flood,
      needs: "nginxLua",
    },
  ],
};

const policies: Group = {
  name: "policies",
  title: "Portico guarded, with more asked of it",
  base: "bare",
  cases: [
    { name: "bare", title: "Portico guarded", start: guarded, load: small },
    {
      name: "rules",
      title: "with a role, an IP rule and a header template",
      start: portico({
        guarded: true,
        settings: {
          required_roles: [caller.role],
          allowed_ips: ["127.0.0.0/8", "::1"],
          headers: [{ key: "X-Client", value: "{{headers.x-api-user-id}}" }],
        },
      }),
      load: small,
    },
    {
      name: "cache-hit",
      title: "answered out of the cache",
      start: portico({ guarded: true, settings: { cache_max_age_seconds: 3600 } }),
      load: small,
    },
  ],
};

const workers: Group = {
  name: "workers",
  title: "Portico guarded, on two cores",
  base: "one-worker",
  twoCores: true,
  cases: [
    {
      name: "one-worker",
      title: "1 worker",
      start: portico({ guarded: true, workers: 1 }),
      load: small,
    },
    {
      name: "two-workers",
      title: "2 workers",
      start: portico({ guarded: true, workers: 2 }),
      load: small,
    },
  ],
};

/** Measured at saturation, for what a request costs. */
export const groups: readonly Group[] = [
  gateways,
  https,
  many,
  bodies,
  refusals,
  policies,
  workers,
];

/** The name under which start and memory are chosen. */
export const START = "start";

/** Measured at a fixed rate, for what a gateway adds to the latency of the upstream. */
export const latency: Group = {
  name: "latency",
  title: "Latency at half of what Portico guarded takes at most",
  base: "direct",
  cases: [
    { name: "direct", title: "no gateway", start: direct, load: get("/small") },
    { name: "guarded", title: "Portico guarded", start: guarded, load: small },
    { name: "nginx", title: "nginx proxy_pass", start: nginxPlain, load: small, needs: "nginx" },
    {
      name: "nginx-lua",
      title: "nginx + Lua, guarded",
      start: lua,
      load: small,
      needs: "nginxLua",
    },
  ],
};

/** What may be chosen by name: groups, and cases of those that are measured at saturation. */
export const names: ReadonlySet<string> = new Set([
  ...groups.flatMap(({ name, cases }) => [name, ...cases.map(({ name }) => name)]),
  latency.name,
  START,
]);

/**
 * The group with those of its cases that can be measured here and that are wanted (null: all),
 * and with its base.
 */
export function chosen(group: Group, machine: Machine, only: ReadonlySet<string> | null): Group {
  const cases = group.cases
    .filter(({ needs }) => needs === undefined || machine[needs] !== null)
    .filter(({ name }) => only === null || only.has(group.name) || only.has(name));
  const base = group.cases.filter(({ name }) => name === group.base && cases.length > 0);
  return { ...group, cases: [...new Set([...base, ...cases])] };
}
