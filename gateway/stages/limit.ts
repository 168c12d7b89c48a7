/**
 * Counts a call that passed every check against its limits, in listed order; the
 * first exceeded one refuses it. Those before it stay counted, those after it are
 * not. A call within its limits is then counted against its quotas: all or none.
 */
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { ToldLimit } from "../limit/compiled_limits.ts";
import {
  leftItem,
  limitWords,
  type Policy,
  quotaPolicy,
  quotaWords,
  ratePolicy,
} from "../limit/policies.ts";
import type { QuotaCount, QuotaCounters } from "../limit/quota_counters.ts";
import { Count, type RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call } from "./call.ts";
import { CallSubjects, type HeldLimits, heldLimits, isSkipped } from "./held_limits.ts";

export interface Limited {
  readonly refusal: Refusal | null;
  /**
   * What the answer tells of the limit that is marked for it, of all quotas, and of what
   * was exceeded; on success and on 429.
   */
  readonly headers: HeaderFields;
}

/** What counts, or only seems to: see `gateway/explain/`. */
export type Limiter = Pick<RateLimiter, "subjects" | "take" | "look"> & {
  readonly quotas: Pick<QuotaCounters, "take" | "look" | "giveBack">;
};

const unlimited: Limited = { refusal: null, headers: [] };
const noQuotaCounts: readonly QuotaCount[] = [];

/** @param now ms since the epoch */
export function limit(call: Call, limiter: Limiter, now: number): Limited {
  const held = heldLimits(call);
  const { rates: { limits, told }, rateBucket: bucket, quotas } = held;
  if (limits.length === 0 && quotas.length === 0) return unlimited;
  const subjects = new CallSubjects(call, limiter.subjects);
  let exceeded: Count | QuotaCount | null = null;
  let toldCount: Count | null = null;
  for (const rule of limits) {
    if (isSkipped(rule, call)) continue;
    const subject = subjects.of(rule);
    if (exceeded === null) {
      const count = limiter.take(rule, bucket, subject, now);
      if (!count.allowed) exceeded = count;
      if (rule === told?.limit) toldCount = count;
    } else if (rule === told?.limit) {
      // A refused caller is told of its limit all the same, which is not counted for that.
      toldCount = limiter.look(rule, bucket, subject, now);
    }
  }
  const quotaCounts = quotas.length === 0
    ? noQuotaCounts
    : exceeded === null
    ? takeQuotas(held, subjects, limiter, now)
    : lookAtQuotas(held, subjects, limiter, now);
  exceeded ??= lastToEnd(quotaCounts);
  return {
    refusal: exceeded === null ? null : overLimit(exceeded),
    headers: tell(told, toldCount, othersToTell(quotaCounts, exceeded, told)),
  };
}

/** Counts a call against every quota, or against none if one is used up. */
function takeQuotas(
  held: HeldLimits,
  subjects: CallSubjects,
  limiter: Limiter,
  now: number,
): readonly QuotaCount[] {
  const { quotas, quotaBucket: bucket } = held;
  const holding = quotas.filter((quota) => !isSkipped(quota, subjects.call));
  const counts = holding.map((quota) =>
    limiter.quotas.take(quota, bucket, subjects.of(quota), now)
  );
  if (counts.every(({ allowed }) => allowed)) return counts;
  return counts.map((count) => {
    if (!count.allowed) return count;
    const { quota } = count;
    limiter.quotas.giveBack(quota, bucket, subjects.of(quota));
    return limiter.quotas.look(quota, bucket, subjects.of(quota), now);
  });
}

function lookAtQuotas(
  { quotas, quotaBucket: bucket }: HeldLimits,
  subjects: CallSubjects,
  limiter: Limiter,
  now: number,
): readonly QuotaCount[] {
  return quotas.filter((quota) => !isSkipped(quota, subjects.call))
    .map((quota) => limiter.quotas.look(quota, bucket, subjects.of(quota), now));
}

/** Of the quotas that are used up, the one to wait for. */
function lastToEnd(counts: readonly QuotaCount[]): QuotaCount | null {
  return counts.filter(({ allowed }) => !allowed)
    .reduce<QuotaCount | null>(
      (last, one) => last === null || one.span.end > last.span.end ? one : last,
      null,
    );
}

function overLimit(count: Count | QuotaCount): Refusal {
  const words = count instanceof Count ? limitWords(count.limit) : quotaWords(count.quota);
  return new Refusal(
    "OVER_RATE_LIMIT",
    "",
    [["retry-after", String(count.secondsUntilMore)]],
    `over ${words}`,
  );
}

type Told = readonly [policy: Policy, count: Count | QuotaCount];

/** What is told besides the marked limit: every quota, and the limit that was exceeded. */
function othersToTell(
  quotaCounts: readonly QuotaCount[],
  exceeded: Count | QuotaCount | null,
  told: ToldLimit | null,
): readonly Told[] {
  const others = quotaCounts.map((count): Told => [quotaPolicy(count.quota, count.span), count]);
  if (exceeded instanceof Count && exceeded.limit !== told?.limit) {
    others.push([ratePolicy(exceeded.limit), exceeded]);
  }
  return others;
}

/**
 * API Umbrella's fields, of the marked limit alone, and those of the
 * draft, of all that are told.
 */
function tell(told: ToldLimit | null, count: Count | null, others: readonly Told[]): HeaderFields {
  if (told === null || count === null) return others.length === 0 ? [] : listed(others);
  const { remaining } = count;
  const marked = [told.limitField, ["x-ratelimit-remaining", String(remaining)]] as const;
  // Most calls are told of one limit alone.
  return others.length === 0
    ? [...marked, told.policyField, [
      "ratelimit",
      leftItem(told.policy, remaining, count.secondsUntilMore),
    ]]
    : [...marked, ...listed([[told.policy, count], ...others])];
}

function listed(policies: readonly Told[]): HeaderFields {
  return [
    ["ratelimit-policy", policies.map(([{ item }]) => item).join(", ")],
    [
      "ratelimit",
      policies.map(([policy, count]) => leftItem(policy, count.remaining, count.secondsUntilMore))
        .join(", "),
    ],
  ];
}
