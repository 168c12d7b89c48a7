// fastify with @fastify/http-proxy, as its documentation sets it up. Arguments: our port and the
// upstream's.
const fastify = require("fastify");
const proxy = require("@fastify/http-proxy");

const [port, upstreamPort] = process.argv.slice(2);
const server = fastify();
server.register(proxy, { prefix: "/api", upstream: `http://127.0.0.1:${upstreamPort}` });
server.listen({ host: "127.0.0.1", port: Number(port) });
