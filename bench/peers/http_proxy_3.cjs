// http-proxy-3. As it comes it opens a connection to the upstream for every call; with the argument
// keep-alive it is given an agent that keeps them. The first arguments: our port, the upstream's.
const { Agent, createServer } = require("node:http");
const { createProxyServer } = require("http-proxy-3");

const [port, upstreamPort, connections] = process.argv.slice(2);
const proxy = createProxyServer({
  target: `http://127.0.0.1:${upstreamPort}`,
  agent: connections === "keep-alive" ? new Agent({ keepAlive: true }) : undefined,
});
proxy.on("error", (_error, _request, response) => {
  response.statusCode = 502;
  response.end();
});
createServer((request, response) => {
  request.url = request.url.slice("/api".length);
  proxy.web(request, response);
}).listen(Number(port), "127.0.0.1");
