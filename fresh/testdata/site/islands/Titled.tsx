import { useSignal } from "@preact/signals";
import { Head } from "fresh/runtime";

export default function Titled() {
  const count = useSignal(0);
  return (
    <>
      <Head>
        <title>{count.value} new</title>
        <meta name="robots" content={`max-snippet:${count.value}`} />
      </Head>
      <button type="button" onClick={() => count.value++}>More</button>
    </>
  );
}
