import assert from "node:assert/strict";
import type { Admitted } from "../stages/pipeline.ts";
import { callWith } from "../stages/testing.ts";
import { answerHeaders } from "./answer_headers.ts";

function answered(upstream: [string, string][]): [string, string][] {
  const { exchange, settings } = callWith();
  const verdict = { settings, headers: [] } as unknown as Admitted; // what an answer needs of it
  return answerHeaders(upstream, verdict, exchange);
}

Deno.test("a backend cannot plant a session of the gateway, but sets its own cookies", () => {
  const headers = answered([
    ["set-cookie", "theirs=1; Path=/"],
    ["set-cookie", "portico_session=planted; Path=/admin"],
    ["set-cookie", " __Host-portico_session=planted; Path=/; Secure"],
    ["set-cookie", "not_portico_session=2"],
  ]);
  const cookies = headers.filter(([name]) => name === "set-cookie").map(([, value]) => value);
  assert.deepEqual(cookies, ["theirs=1; Path=/", "not_portico_session=2"]);
});

Deno.test("the length of a body that is there is left to the server, which counts it", () => {
  const { exchange, settings } = callWith();
  const verdict = { settings, headers: [] } as unknown as Admitted; // what an answer needs of it
  const upstream: [string, string][] = [["content-length", "5"], ["server", "x"]];
  const names = (isWhole: boolean) =>
    answerHeaders(upstream, verdict, exchange, isWhole).map(([name]) => name);
  assert.deepEqual(names(true), ["server", "x-request-id"]);
  assert.deepEqual(names(false), ["content-length", "server", "x-request-id"]);
});
