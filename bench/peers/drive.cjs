// autocannon, where wrk is not installed: drives load and prints what wrk/calls.lua would.
// Argument: JSON of url, connections, seconds, headers, postBytes, keysFile and firstKey.
const { readFileSync } = require("node:fs");
const autocannon = require("autocannon");

const load = JSON.parse(process.argv[2]);
const keys = load.keysFile ? readFileSync(load.keysFile, "utf8").trimEnd().split("\n") : null;
let at = load.firstKey;

function withNextKey(request) {
  at = (at + 1) % keys.length;
  return { ...request, headers: { ...request.headers, "x-api-key": keys[at] } };
}

async function main() {
  const result = await autocannon({
    url: load.url,
    connections: load.connections,
    duration: load.seconds,
    timeout: 10,
    headers: load.headers,
    tlsOptions: { rejectUnauthorized: false },
    ...(load.postBytes > 0 ? { method: "POST", body: "x".repeat(load.postBytes) } : {}),
    ...(keys === null ? {} : { requests: [{ setupRequest: withNextKey }] }),
  });
  console.log(
    "BENCH " + JSON.stringify({
      requests: result.requests.total,
      seconds: result.duration,
      statusErrors: result["4xx"] + result["5xx"],
      socketErrors: result.errors + result.timeouts,
      p50: result.latency.p50,
      p99: result.latency.p99,
    }),
  );
}

main();
