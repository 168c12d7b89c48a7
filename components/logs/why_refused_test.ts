import assert from "node:assert/strict";
import { refusals } from "@/gateway/refusal/refusals.ts";
import { whyRefused } from "./why_refused.ts";

Deno.test("every refusal has a meaning", () => {
  for (const code of Object.keys(refusals)) {
    const meaning = whyRefused({ gatekeeper_denied_code: code.toLowerCase() });
    assert.match(meaning ?? "", /\.$/);
    assert.doesNotMatch(meaning ?? "", /^The call was refused: /, code);
  }
});

Deno.test("a failure of the upstream is told, and what nobody knows is told by its code", () => {
  assert.match(whyRefused({ api_backend_response_code_details: "client_left" }) ?? "", /hung up/);
  assert.equal(
    whyRefused({ api_backend_response_code_details: "constructor" }),
    "The call failed: constructor.",
  );
});

Deno.test("a call over a limit is told with the limit", () => {
  const meaning = whyRefused({
    gatekeeper_denied_code: "over_rate_limit",
    api_backend_response_code_details: "over 20 calls a second by API key",
  });
  assert.match(meaning ?? "", /used up .+ This call was over 20 calls a second by API key\.$/);
});

Deno.test("a call that went well was not refused", () => {
  assert.equal(whyRefused({}), null);
  assert.equal(
    whyRefused({ api_backend_response_code_details: "websocket_closed_1000" }),
    null,
  );
});
