import assert from "node:assert/strict";
import { compileCors } from "./cors.ts";
import { Layers } from "./layers.ts";

const named = {
  cors: true,
  cors_allow_credentials: true,
  cors_allowed_origins: ["https://app.example.org"],
};

Deno.test("CORS is off unless a layer turns it on, and a nearer one can turn it off", () => {
  assert.equal(compileCors(new Layers({}, {})), null);
  assert.ok(compileCors(new Layers({ cors: true }, {})) !== null);
  assert.equal(compileCors(new Layers({ cors: true }, { cors: false })), null);
});

Deno.test("credentials are never allowed to any origin, however the layers add up", () => {
  assert.equal(compileCors(new Layers({}, named))?.credentials, true);
  assert.equal(compileCors(new Layers(named, { cors_max_age_seconds: 1 }))?.credentials, true);
  const widened = compileCors(new Layers({}, named, { cors_allowed_origins: ["*"] }));
  assert.equal(widened?.allowsOrigin, null);
  assert.equal(widened?.credentials, false);
  const unlisted = { cors: true, cors_allow_credentials: true, cors_allowed_origins: [] };
  assert.equal(compileCors(new Layers({}, unlisted))?.credentials, false);
});

Deno.test("a header that is listed twice is told once", () => {
  const cors = compileCors(
    new Layers({}, {
      cors: true,
      cors_allowed_headers: ["x-api-key", "Accept"],
      cors_exposed_headers: ["retry-after"],
    }),
  );
  assert.equal(cors?.headers, "X-Api-Key, Accept");
  assert.match(cors?.exposed ?? "", /^(?!.*Retry-After).*retry-after/);
});
