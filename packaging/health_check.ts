/** The container's health check: ends with 0 when this machine's Portico answers well. */

const port = Deno.env.get("PORTICO_HTTP_PORT");
const answer = await fetch(`http://127.0.0.1:${port}/portico/health`).catch(() => null);
Deno.exit(answer?.status === 200 ? 0 : 1);
