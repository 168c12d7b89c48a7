import assert from "node:assert/strict";
import { Fault } from "@/gateway/faults.ts";
import { readForm } from "./form.ts";

function post(body: BodyInit, headers: HeadersInit = {}): Request {
  return new Request("http://h/", { method: "POST", body, headers });
}

function faultOf(kind: string) {
  return (error: unknown) => error instanceof Fault && error.kind === kind;
}

Deno.test("a form is read in both encodings that browsers send", async () => {
  const fields = { email: "a@b.example", note: "ä & ö" };
  assert.deepEqual(await readForm(post(new URLSearchParams(fields))), fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  assert.deepEqual(await readForm(post(form)), fields);
});

Deno.test("files in a form are left aside", async () => {
  const form = new FormData();
  form.set("name", "x");
  form.set("file", new Blob(["content"]), "file.txt");
  assert.deepEqual(await readForm(post(form)), { name: "x" });
});

Deno.test("a body that is no form is refused", async () => {
  await assert.rejects(readForm(post("a=b")), faultOf("BAD_REQUEST"));
  await assert.rejects(
    readForm(post("broken", { "content-type": "multipart/form-data; boundary=x" })),
    faultOf("BAD_REQUEST"),
  );
});

Deno.test("a form over 1 MiB is refused", async () => {
  const body = new URLSearchParams({ a: "b".repeat(1024 * 1024) });
  await assert.rejects(readForm(post(body)), faultOf("TOO_LARGE"));
});
