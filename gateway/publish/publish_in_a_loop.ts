/**
 * A process for the crash test: publishes again and again, each time a content of
 * many pieces. Prints "staging" when it begins to write one, and the version when it
 * is live. Ends only by being killed.
 *
 * Arguments: the path of the store.
 */
import { Backends } from "../backends/backends.ts";
import { Store } from "../store/store.ts";
import { silentLog } from "../store/testing.ts";
import { Websites } from "../websites/websites.ts";
import { Publishing } from "./publishing.ts";

const store = await Store.open(Deno.args[0] ?? ":memory:");
const backends = new Backends(store);
const publishing = await Publishing.open(
  store,
  { backends, websites: new Websites(store) },
  silentLog,
);
const { set } = store.kv;
store.kv.set = async (...args) => {
  const result = await set.apply(store.kv, args);
  if (args[0][1] === "unreferenced") console.log("staging");
  return result;
};
const [first] = await backends.all();
while (first !== undefined) {
  await backends.change(first.id, { name: crypto.randomUUID() }, "test");
  const { version } = await publishing.publish({}, "test");
  console.log(version);
}
