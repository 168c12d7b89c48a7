/** What is measured: gateways, and the load each is put under. */
import type { Bench } from "./bench.ts";
import type { Load } from "./load.ts";
import { startNginxLua, startNginxPlain } from "./nginx/gateways.ts";
import type { RunningServer } from "./nginx/server.ts";
import { type GuardedServer, startPorticoGateway } from "./portico.ts";
import type { Upstream } from "./upstream.ts";

/** A gateway under a load, ready to be measured. */
export interface Subject {
  readonly server: RunningServer;
  readonly load: Load;
}

export interface Case {
  readonly name: string;
  readonly title: string;
  readonly start: (bench: Bench, upstream: Upstream) => Promise<Subject>;
}

function keyed(server: GuardedServer): Load {
  return { path: "/api/small", headers: { "x-api-key": server.keys[0] ?? "" } };
}

export const cases: readonly Case[] = [
  {
    name: "plain",
    title: "Portico plain",
    async start(bench, upstream) {
      const server = await startPorticoGateway(bench, upstream, { guarded: false });
      return { server, load: { path: "/api/small" } };
    },
  },
  {
    name: "guarded",
    title: "Portico guarded",
    async start(bench, upstream) {
      const server = await startPorticoGateway(bench, upstream, { guarded: true });
      return { server, load: keyed(server) };
    },
  },
  {
    name: "nginx",
    title: "nginx proxy_pass",
    async start(bench, upstream) {
      return { server: await startNginxPlain(bench, upstream), load: { path: "/api/small" } };
    },
  },
  {
    name: "nginx-lua",
    title: "nginx + Lua guarded",
    async start(bench, upstream) {
      const server = await startNginxLua(bench, upstream);
      return { server, load: keyed(server) };
    },
  },
];
