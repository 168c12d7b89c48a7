/** nginx as a gateway: forwarding alone, and with Lua doing what Portico's guarded backend does. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateApiKey } from "@/gateway/keys/api_key.ts";
import type { RateLimit } from "@/gateway/records/rate_limits.ts";
import { newRecordId } from "@/gateway/store/record_id.ts";
import type { GatewaySite, Site, StartGateway } from "../gateway.ts";
import { caller, rateLimits } from "../guard.ts";
import { writeCertificate } from "../portico.ts";
import { startNginx } from "./server.ts";

const luaFolder = fileURLToPath(new URL("./lua", import.meta.url));

/** `proxy_pass` with an access log, written in blocks. */
export const nginxPlain: StartGateway = async (site) => {
  const server = await startNginx(site, {
    http: (port, folder) => `
      access_log ${folder}/access.log combined buffer=64k flush=1s;
      ${upstreamBlock(site)}
      server {
        listen 127.0.0.1:${port} backlog=1024;
        location /api/ { ${forward} }
      }
    `,
  });
  return { ...server, keys: [] };
};

/** Key, limits, identity headers and log row in Lua. */
export function nginxLua({ https = false, limits = rateLimits } = {}): StartGateway {
  return async (site) => {
    const key = generateApiKey();
    const listener = https ? await httpsListener(site) : { flags: "", lines: "" };
    const server = await startNginx(site, {
      scheme: https ? "https" : "http",
      main: site.machine.nginxLua ?? "",
      http: (port, folder) => `
        ${luaParts(key, limits, folder)}
        ${upstreamBlock(site)}
        server {
          listen 127.0.0.1:${port} backlog=1024 ${listener.flags};
          ${listener.lines}
          location /api/ { ${guard} ${forward} }
        }
      `,
    });
    return { ...server, keys: [key] };
  };
}

/** Connections to the upstream stay open, as Portico's do. */
function upstreamBlock({ upstream }: GatewaySite): string {
  return `
    upstream backend {
      server 127.0.0.1:${upstream.port};
      keepalive 64;
      keepalive_requests 1000000000;
    }
  `;
}

const forward = `
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $proxy_host;
  proxy_pass http://backend/;
`;

/** What the caller may not say itself is set or removed, as Portico does. */
const guard = `
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
`;

function luaParts(key: string, limits: readonly RateLimit[], folder: string): string {
  const rules = limits.map(({ duration, limit_by, limit, response_headers }) =>
    `{ duration = ${duration}, by = "${limit_by}", limit = ${limit}, ` +
    `headers = ${response_headers} },`
  );
  return `
    access_log off;
    lua_package_path "${luaFolder}/?.lua;;";
    lua_shared_dict users 16m;
    lua_shared_dict counters 64m;
    init_by_lua_block {
      require("users").put("${key}", {
        id = "${newRecordId()}",
        email = "${caller.email}",
        roles = "${caller.role}",
      })
      guard = require("guard").new({ id = "${newRecordId()}", name = "Backend 0" }, {
        ${rules.join("\n        ")}
      })
      call_log = require("call_log").new("${join(folder, "calls.log")}")
    }
    init_worker_by_lua_block { call_log:start() }
  `;
}

async function httpsListener({ folder }: Site): Promise<{ flags: string; lines: string }> {
  const { cert, key } = await writeCertificate(folder);
  return {
    flags: "ssl",
    lines: `ssl_certificate ${cert}; ssl_certificate_key ${key}; ssl_protocols TLSv1.2 TLSv1.3;`,
  };
}
