import assert from "node:assert/strict";
import { isSetupCode, newSetupCode } from "./setup_code.ts";

Deno.test("a code is four groups of four letters, and never the same twice", () => {
  const codes = Array.from({ length: 1000 }, newSetupCode);
  for (const code of codes) assert.match(code, /^([2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/);
  assert.equal(new Set(codes).size, codes.length);
});

Deno.test("a code is recognised as people type it, and nothing else is", () => {
  const code = "7KQM-2XHA-P9RC-WD4E";
  for (const typed of [code, "7kqm 2xha p9rc wd4e", " 7KQM2XHAP9RCWD4E\n"]) {
    assert.equal(isSetupCode(typed, code), true, typed);
  }
  for (const typed of ["", "-", "7KQM", "7KQM-2XHA-P9RC-WD4F", `${code}X`]) {
    assert.equal(isSetupCode(typed, code), false, typed);
  }
});
