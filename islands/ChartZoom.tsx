/**
 * Lies over the chart of calls: tells what the bar under the pointer stands for, and
 * leads to the stretch of time that is dragged over. By keyboard the table does it.
 */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { zoomedUrl } from "@/components/logs/log_urls.ts";

interface ChartZoomProps {
  /** Where bars begin, in milliseconds since the epoch; the last is where the last one ends. */
  readonly edges: readonly number[];
  /** What each bar stands for. */
  readonly labels: readonly string[];
}

export function ChartZoom({ edges, labels }: ChartZoomProps) {
  const element = useRef<SVGSVGElement>(null);
  const from = useSignal<number | null>(null);
  const to = useSignal<number | null>(null);

  function barAt(event: PointerEvent): number {
    const { left, width } = (element.current ?? document.body).getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * labels.length);
    return Math.min(Math.max(index, 0), labels.length - 1);
  }

  function begin(event: PointerEvent) {
    if (event.button !== 0) return;
    element.current?.setPointerCapture(event.pointerId);
    from.value = to.value = barAt(event);
  }

  function end() {
    const [first, last] = selection(from.value, to.value);
    from.value = null;
    const [start, stop] = [edges[first], edges[last + 1]];
    if (start === undefined || stop === undefined) return;
    location.assign(zoomedUrl(new URLSearchParams(location.search), start, stop));
  }

  function leave() {
    from.value = to.value = null;
  }

  const [first, last] = selection(from.value ?? to.value, to.value);
  const width = 100 / labels.length;
  return (
    <>
      <svg
        ref={element}
        class="chart-zoom"
        aria-hidden="true"
        onPointerDown={begin}
        onPointerMove={(event) => to.value = barAt(event)}
        onPointerUp={end}
        onPointerCancel={leave}
        onPointerLeave={() => from.value === null && leave()}
      >
        {to.value !== null && (
          <rect x={`${first * width}%`} width={`${(last - first + 1) * width}%`} height="100%" />
        )}
      </svg>
      <p class="chart-readout" aria-hidden="true">
        {to.value === null
          ? <span class="chart-hint">Drag over the bars to zoom in</span>
          : readout(labels, from.value, to.value)}
      </p>
    </>
  );
}

/** The bars from the one to the other, the earlier one first. */
function selection(from: number | null, to: number | null): [first: number, last: number] {
  if (from === null || to === null) return [-1, -1];
  return [Math.min(from, to), Math.max(from, to)];
}

function readout(labels: readonly string[], from: number | null, to: number): string {
  const [first, last] = selection(from ?? to, to);
  if (first === last) return labels[to] ?? "";
  const stretch = (index: number) => (labels[index] ?? "").replace(/ UTC: .*$/, "");
  return `${stretch(first)} to ${stretch(last)} UTC`;
}
