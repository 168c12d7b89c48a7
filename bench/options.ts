/** What `deno task bench` was told. */
import { parseArgs } from "node:util";

export interface Options {
  /** How often everything is measured. */
  readonly rounds: number;
  /** Seconds of load for one measurement. */
  readonly seconds: number;
  /** Names of cases and groups to measure; null: all. */
  readonly only: ReadonlySet<string> | null;
  /** Whether the result is kept as the one that is committed. */
  readonly keep: boolean;
}

export const usage =
  `deno task bench [--quick] [--only NAME,NAME] [--rounds N] [--seconds N] [--keep]

  --quick    2 rounds of 2 seconds: a first look; for figures, let it run
  --only     cases or groups of cases, by name
  --rounds   how often everything is measured (5)
  --seconds  of load for one measurement (4)
  --keep     write bench/results.json too, the result that is committed
`;

/** `names` are those that `--only` takes. Throws an `Error` that says what is wrong. */
export function readOptions(args: readonly string[], names: ReadonlySet<string>): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      keep: { type: "boolean", default: false },
    },
  });
  return {
    rounds: count("rounds", values.rounds, values.quick ? 2 : 5),
    seconds: count("seconds", values.seconds, values.quick ? 2 : 4),
    only: values.only === undefined ? null : known(values.only.split(","), names),
    keep: values.keep,
  };
}

function known(chosen: readonly string[], names: ReadonlySet<string>): ReadonlySet<string> {
  const stranger = chosen.find((name) => !names.has(name));
  if (stranger === undefined) return new Set(chosen);
  throw new Error(`there is no case or group "${stranger}", only ${[...names].join(", ")}`);
}

function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`--${name} takes a whole number from 1 to 999`);
  return Number(text);
}
