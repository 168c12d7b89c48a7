// http-proxy-3 with an agent that keeps connections, without which it opens one a call.
// Arguments: our port and the upstream's.
const { Agent, createServer } = require("node:http");
const { createProxyServer } = require("http-proxy-3");

const [port, upstreamPort] = process.argv.slice(2);
const proxy = createProxyServer({
  target: `http://127.0.0.1:${upstreamPort}`,
  agent: new Agent({ keepAlive: true }),
});
proxy.on("error", (_error, _request, response) => {
  response.statusCode = 502;
  response.end();
});
createServer((request, response) => {
  request.url = request.url.slice("/api".length);
  proxy.web(request, response);
}).listen(Number(port), "127.0.0.1");
