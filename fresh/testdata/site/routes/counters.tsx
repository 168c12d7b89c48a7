import { signal } from "@preact/signals";
import { Head } from "fresh/runtime";
import Counter from "../islands/Counter.tsx";
import Panel, { Total } from "../islands/Panel.tsx";

export default function Counters() {
  const count = signal(3);
  return (
    <main>
      <Head>
        <title>Counters</title>
      </Head>
      <Counter label="first" count={count} />
      <Counter label="second" count={count} />
      <p>
        Total: <Total count={count} />
      </p>
      <Panel title="Details">
        <p class="inside">
          Inside <button type="button" disabled>never</button>
        </p>
        <Counter label="third" count={signal(10)} />
      </Panel>
      <div id="open">
        <Panel title="Open" startsOpen>
          <em>kept</em> <Counter label="fourth" count={signal(20)} />
        </Panel>
      </div>
    </main>
  );
}
