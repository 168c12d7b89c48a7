/** What one stage makes of a call by itself, whether the call gets as far as there or not. */
import { Reply } from "../stages/call.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { ExplainedStage } from "./explanation.ts";
import type { Told } from "./stage_words.ts";

/** Portico answers with a page of its own. */
export const OWN_PAGE = "own page";

export interface Judgement extends Told {
  readonly name: string;
  readonly title: string;
  /** Null lets the call pass; undefined: the stage has nothing to decide over. */
  readonly decision: Refusal | Reply | typeof OWN_PAGE | null | undefined;
}

/** The one that ends the call: the first that does not let it pass. */
export function deciding(judgements: readonly Judgement[]): Judgement | undefined {
  return judgements.find(({ decision }) => decision !== null && decision !== undefined);
}

/** What is said of each stage, in the light of those before it. */
export function explainedStages(judgements: readonly Judgement[]): ExplainedStage[] {
  const last = deciding(judgements);
  const end = last === undefined ? judgements.length : judgements.indexOf(last);
  return judgements.map(({ name, title, decision, why, rule }, index) => {
    const would = outcome(decision);
    return {
      name,
      title,
      decision: index > end ? "skip" : would ?? "skip",
      would,
      code: decision instanceof Refusal ? decision.code : null,
      why,
      rule,
    };
  });
}

function outcome(decision: Judgement["decision"]): ExplainedStage["would"] {
  if (decision === undefined) return null;
  if (decision === null) return "pass";
  return decision instanceof Refusal ? "refuse" : "answer";
}
