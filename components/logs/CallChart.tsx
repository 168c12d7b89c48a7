/**
 * Calls over time by class of status: bars to look at and to drag over, a legend
 * with the sums, and the same numbers as a table, each row leading to its stretch.
 */
import type { Histogram } from "@/gateway/logs/call_log.ts";
import { statusClasses } from "@/gateway/logs/status_class.ts";
import { ChartZoom } from "@/islands/ChartZoom.tsx";
import { bucketWords, callsIn, type Chart, chartOf, legendOf, stretchWords } from "./chart.ts";
import { zoomedUrl } from "./log_urls.ts";

interface CallChartProps {
  readonly histogram: Histogram;
  readonly params: URLSearchParams;
}

export function CallChart({ histogram, params }: CallChartProps) {
  const { buckets } = histogram;
  const ends = buckets.map(({ end_at }) => Date.parse(end_at));
  return (
    <figure class="chart" aria-label="Calls over time by class of status">
      <figcaption class="chart-head">
        <Legend histogram={histogram} />
      </figcaption>
      <div class="chart-plot">
        <Bars chart={chartOf(histogram)} />
        <ChartZoom
          edges={[Date.parse(buckets[0]?.start_at ?? histogram.start_at), ...ends]}
          labels={buckets.map(bucketWords)}
        />
      </div>
      <details class="chart-table">
        <summary>The same as a table</summary>
        <BucketTable histogram={histogram} params={params} />
      </details>
    </figure>
  );
}

function Legend({ histogram }: { histogram: Histogram }) {
  const legend = legendOf(histogram);
  const total = legend.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <ul class="legend">
      <li>
        <strong>{total.toLocaleString("en")} {total === 1 ? "call" : "calls"}</strong>
      </li>
      {legend.map(({ statusClass, words, calls }) => (
        <li key={statusClass}>
          <svg class={`swatch status-${statusClass}`} width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" />
          </svg>
          <span>
            {statusClass} {words}
          </span>
          <span class="mono">{calls.toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );
}

/** Room in pixels: bars between a line for the top and the labels of the time below. */
const TOP = 12;
const PLOT = 144;
const HEIGHT = TOP + PLOT + 24;

function Bars({ chart: { bars, top, ticks } }: { chart: Chart }) {
  return (
    <svg class="chart-bars" width="100%" height={HEIGHT} aria-hidden="true">
      <defs>
        {/* Classes differ in more than colour: errors are hatched. */}
        <Hatching statusClass="4xx" />
        <Hatching statusClass="5xx" />
      </defs>
      <GridLine y={TOP} calls={top} />
      {top % 2 === 0 && <GridLine y={TOP + PLOT / 2} calls={top / 2} />}
      <GridLine y={TOP + PLOT} calls={0} />
      <svg y={TOP} width="100%" height={PLOT}>
        {bars.flatMap(({ x, width, segments }) =>
          segments.map(({ statusClass, y, height }) => (
            <rect
              key={`${x} ${statusClass}`}
              class={`status-${statusClass}`}
              x={`${x}%`}
              y={`${y}%`}
              width={`${width}%`}
              height={`${height}%`}
            />
          ))
        )}
      </svg>
      <g class="chart-ticks">
        {ticks.map(({ x, label }) => <text key={x} x={`${x}%`} y={HEIGHT - 6}>{label}</text>)}
      </g>
    </svg>
  );
}

function Hatching({ statusClass }: { statusClass: "4xx" | "5xx" }) {
  return (
    <pattern
      id={`hatching-${statusClass}`}
      class={`hatching-${statusClass}`}
      width="6"
      height="6"
      patternUnits="userSpaceOnUse"
      patternTransform={statusClass === "4xx" ? "rotate(45)" : "rotate(-45)"}
    >
      <rect class="hatching-ground" width="6" height="6" />
      <rect class="hatching-line" width="3" height="6" />
    </pattern>
  );
}

const short = new Intl.NumberFormat("en", { notation: "compact" });

function GridLine({ y, calls }: { y: number; calls: number }) {
  return (
    <>
      <line class="chart-line" x1="0" x2="100%" y1={y} y2={y} />
      <text class="chart-scale" x="100%" y={y} dx="8" dy="4">{short.format(calls)}</text>
    </>
  );
}

function BucketTable({ histogram: { buckets }, params }: CallChartProps) {
  const called = buckets.filter((bucket) => callsIn(bucket) > 0);
  return (
    <div class="table-box" role="region" aria-label="Calls over time" tabIndex={0}>
      <table class="table">
        <caption class="visually-hidden">Calls over time by class of status</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col" class="numeric">Calls</th>
            {statusClasses.map((name) => <th key={name} scope="col" class="numeric">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {called.map((bucket) => (
            <tr key={bucket.start_at}>
              <th scope="row">
                <a
                  class="row-link mono"
                  href={zoomedUrl(params, Date.parse(bucket.start_at), Date.parse(bucket.end_at))}
                >
                  {stretchWords(bucket)}
                </a>
              </th>
              <td class="numeric">{callsIn(bucket).toLocaleString("en")}</td>
              {statusClasses.map((name) => (
                <td key={name} class="numeric">{bucket.counts[name].toLocaleString("en")}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
