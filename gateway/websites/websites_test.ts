import assert from "node:assert/strict";
import { Store } from "../store/store.ts";
import { fault } from "../store/testing.ts";
import { Websites } from "./websites.ts";

const home = { frontend_host: "www.example.org", server_host: "10.0.0.9", server_port: 8080 };

async function withWebsites(work: (websites: Websites) => Promise<void>) {
  const store = await Store.open(":memory:");
  try {
    await work(new Websites(store));
  } finally {
    store.close();
  }
}

Deno.test("a new website backend is spoken to by http, unless it says https", () =>
  withWebsites(async (websites) => {
    const made = await websites.create(home, "jane");
    assert.equal(made.backend_protocol, "http");
    const changed = await websites.change(made.id, { backend_protocol: "https" }, "mary", 1);
    assert.deepEqual(
      [changed.backend_protocol, changed.server_port, changed.version],
      ["https", 8080, 2],
    );
  }));

Deno.test("every bad field of a website backend is reported at once", () =>
  withWebsites(async (websites) => {
    const bad = {
      frontend_host: "a *",
      backend_protocol: "ftp",
      server_host: "http://x/",
      server_port: 0,
    };
    await assert.rejects(
      websites.create(bad, "jane"),
      fault("INVALID_INPUT", "frontend_host", "backend_protocol", "server_host", "server_port"),
    );
    await assert.rejects(
      websites.create({}, "jane"),
      fault("INVALID_INPUT", "frontend_host", "server_host", "server_port"),
    );
    assert.equal((await websites.list({})).total, 0);
  }));

Deno.test("a host has one website, however it is spelled, until that is deleted", () =>
  withWebsites(async (websites) => {
    const { id } = await websites.create(home, "jane");
    await websites.create({ ...home, frontend_host: "*.example.org" }, "jane");
    const again = { ...home, frontend_host: "WWW.example.org:8080" };
    await assert.rejects(
      websites.create(again, "jane"),
      fault("INVALID_INPUT", "frontend_host"),
    );
    await websites.remove(id, 1, "mary");
    assert.equal((await websites.removals()).get(id)?.removed_by, "mary");
    await websites.create(again, "jane");
  }));
