/** nginx as a gateway: forwarding alone, and with Lua doing what Portico's guarded backend does. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "../bench.ts";
import { caller, rateLimits } from "../guard.ts";
import { GATEWAY_CORE } from "../machine.ts";
import type { GuardedServer } from "../portico.ts";
import type { Upstream } from "../upstream.ts";
import { type RunningServer, startNginx } from "./server.ts";

/** Connections to the upstream stay open, as Portico's do. */
function upstreamBlock({ port }: Upstream): string {
  return `
    upstream backend {
      server 127.0.0.1:${port};
      keepalive 64;
      keepalive_requests 1000000000;
    }
  `;
}

const forwarding = `
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $proxy_host;
  proxy_pass http://backend/;
`;

/** proxy_pass with an access log, written in blocks. */
export function startNginxPlain(bench: Bench, upstream: Upstream): Promise<RunningServer> {
  return startNginx(bench, GATEWAY_CORE, {
    http: (port, folder) => `
      access_log ${folder}/access.log combined buffer=64k flush=1s;
      ${upstreamBlock(upstream)}
      server {
        listen 127.0.0.1:${port} backlog=1024;
        location /api/ { ${forwarding} }
      }
    `,
  });
}

const luaFolder = fileURLToPath(new URL("./lua", import.meta.url));

export async function startNginxLua(bench: Bench, upstream: Upstream): Promise<GuardedServer> {
  const key = "ptk_000000000000000000000000000000000000";
  const server = await startNginx(bench, GATEWAY_CORE, {
    main: bench.machine.nginxLua ?? "",
    http: (port, folder) => guardedSite(port, folder, key, upstream),
  });
  return { ...server, keys: [key] };
}

function guardedSite(port: number, folder: string, key: string, upstream: Upstream): string {
  const limits = rateLimits.map(({ duration, limit_by, limit, response_headers }) =>
    `{ duration = ${duration}, by = "${limit_by}", limit = ${limit}, ` +
    `headers = ${response_headers} }`
  );
  return `
    access_log off;
    lua_package_path "${luaFolder}/?.lua;;";
    lua_shared_dict users 16m;
    lua_shared_dict counters 64m;
    init_by_lua_block {
      require("users").put("${key}", {
        id = "0190b0a0-0000-7000-8000-000000000001",
        email = "${caller.email}",
        roles = "${caller.role}",
      })
      guard = require("guard").new({ id = "backend-1", name = "Bench" }, {
        ${limits.join(",\n        ")}
      })
      call_log = require("call_log").new("${join(folder, "calls.log")}")
    }
    init_worker_by_lua_block { call_log:start() }
    ${upstreamBlock(upstream)}
    server {
      listen 127.0.0.1:${port} backlog=1024;
      location /api/ {
        access_by_lua_block { guard:admit() }
        header_filter_by_lua_block { guard:answer() }
        log_by_lua_block { call_log:record(guard) }
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Port $server_port;
        proxy_set_header X-Forwarded-Host $http_host;
        proxy_set_header X-Request-Id $request_id;
        proxy_set_header X-Real-Ip "";
        proxy_set_header Forwarded "";
        proxy_set_header X-Original-Url "";
        proxy_set_header X-Rewrite-Url "";
        ${forwarding}
      }
    }
  `;
}
