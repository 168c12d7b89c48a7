import assert from "node:assert/strict";
import { callUrl } from "./call_url.ts";

Deno.test("an API without a host of its own is called at this server's address", () => {
  assert.equal(
    callUrl("http://localhost:8080", "*", "/weather/"),
    "http://localhost:8080/weather/",
  );
});

Deno.test("an API with a host of its own keeps this server's scheme and port", () => {
  assert.equal(
    callUrl("http://localhost:8080", "api.example.com", "/"),
    "http://api.example.com:8080/",
  );
  assert.equal(
    callUrl("https://gate.example.com", "api.example.com", "/v1/"),
    "https://api.example.com/v1/",
  );
  assert.equal(
    callUrl("https://gate.example.com", "api.example.com:444", "/"),
    "https://api.example.com:444/",
  );
});

Deno.test("a host with a wildcard is shown as one that it stands for", () => {
  assert.equal(callUrl("https://g.example", "*.example.com", "/"), "https://any.example.com/");
  assert.equal(callUrl("https://g.example", ".example.com", "/"), "https://example.com/");
});
