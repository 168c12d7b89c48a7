/** Publishing while calls are under way: nothing is dropped, and only one publish wins. */
import assert from "node:assert/strict";
import { setUp } from "./harness/admin.ts";
import { Load } from "./harness/load.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

Deno.test("publishing under load fails no call, and each version is live within a second", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  await using portico = await startPortico({ config: unlimited });
  const admin = await setUp(portico);
  const steady = await admin.addBackend(upstream.port, "/steady/");
  await admin.publish("/steady/");
  const { key } = await admin.addUser();

  const load = new Load(() => `${portico.url()}/steady/x`, { "x-api-key": key }, 8);
  await until(() => load.calls > 50, "the load to run");
  for (let version = 2; version <= 10; version++) {
    // Now the backend itself changes, now one beside it comes.
    if (version % 2 === 0) {
      await admin.expect(200, "PUT", `/backends/${steady}`, { name: `Steady ${version}` });
    } else {
      await admin.addBackend(upstream.port, `/beside-${version}/`);
    }
    const published = await admin.expect(201, "POST", "/publish", { note: `version ${version}` });
    assert.equal(published.version, version);
    if (version % 2 === 1) {
      await until(
        async () => {
          const response = await fetch(`${portico.url()}/beside-${version}/`);
          await response.body?.cancel();
          return response.status === 403; // there, and asks for a key
        },
        `version ${version} to be live`,
        1000,
      );
    }
    const calls = load.calls;
    await until(() => load.calls > calls + 20, "calls under the new version");
  }
  const { failures } = await load.stop();
  assert.deepEqual(failures, []);
});

Deno.test("of two publishes at once one wins and the other gets 409", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico();
  const admin = await setUp(portico);
  for (let round = 1; round <= 5; round++) {
    await admin.addBackend(upstream.port, `/round-${round}/`);
    const answers = await Promise.all([
      admin.call("POST", "/publish", {}),
      admin.call("POST", "/publish", {}),
    ]);
    await Promise.all(answers.map((answer) => answer.body?.cancel()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    await until(
      async () => {
        const response = await fetch(`${portico.url()}/round-${round}/`);
        await response.body?.cancel();
        return response.status === 403;
      },
      "the winner to be live",
      1000,
    );
  }
});

Deno.test("only the chosen changes go live; the others stay as they were", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const one = await admin.addBackend(upstream.port, "/one/");
  const two = await admin.addBackend(upstream.port, "/two/");
  await admin.expect(422, "POST", "/publish", { ids: ["018f0000-0000-7000-8000-00000000dead"] });
  await admin.expect(201, "POST", "/publish", { ids: [one], note: "one first" });
  const left = await admin.expect(200, "GET", "/publish");
  assert.deepEqual((left.changes as { id: string }[]).map(({ id }) => id), [two]);
  await until(async () => (await fetch(`${portico.url()}/one/`)).status === 403, "/one/", 1000);
  assert.equal((await fetch(`${portico.url()}/two/`)).status, 404);
});
