/** The answer to why a call is treated as it is: in a sentence, then stage by stage. */
import type { ExplainedStage, Explanation } from "@/gateway/explain/explanation.ts";
import { Icon } from "../Icon.tsx";
import { Notice } from "../Notice.tsx";
import { LimitTable } from "./LimitTable.tsx";
import { backendLink, ruleLink, sourceWords } from "./rule_link.ts";
import { type Asked, UpstreamRequest } from "./UpstreamRequest.tsx";

interface ExplanationViewProps {
  readonly explanation: Explanation;
  readonly asked: Asked;
}

const tones = { forwarded: "ok", refused: "bad", answered: "info" } as const;

export function ExplanationView({ explanation, asked }: ExplanationViewProps) {
  const { decision, summary, message, limits, upstream, stages } = explanation;
  const deciding = stages.find(({ name }) => name === explanation.stage);
  return (
    <div class="explanation">
      <Notice tone={tones[decision]}>
        <p class="explanation-summary">{summary}</p>
        {message !== null && <p class="small">The caller is told: {message}</p>}
        {deciding !== undefined && <RuleLine stage={deciding} explanation={explanation} />}
      </Notice>
      <Facts explanation={explanation} />
      <section>
        <h2>Stage by stage</h2>
        <ol class="stages">
          {stages.map((stage, index) => (
            <Stage
              key={stage.name}
              stage={stage}
              explanation={explanation}
              isToldAbove={stages[index - 1]?.why === stage.why}
            />
          ))}
        </ol>
      </section>
      {limits.length > 0 && <LimitTable limits={limits} />}
      {upstream !== null && <UpstreamRequest asked={asked} upstream={upstream} />}
      <AnswerHeaders headers={explanation.answer_headers} />
    </div>
  );
}

function Facts({ explanation }: { explanation: Explanation }) {
  const { backend, url_match, sub_url, user, address, version } = explanation;
  return (
    <dl class="facts">
      {backend !== null && (
        <>
          <dt>{backend.kind === "website_backend" ? "Website" : "API backend"}</dt>
          <dd>
            {backend.id === null
              ? `${backend.name}, of the configuration file`
              : <a href={backendLink(backend.kind, backend.id)}>{backend.name}</a>}
            {url_match !== null && (
              <>
                {", "}
                <code>{url_match.frontend_prefix}</code> → <code>{url_match.backend_prefix}</code>
              </>
            )}
          </dd>
        </>
      )}
      {sub_url !== null && (
        <>
          <dt>Sub-URL {sub_url.index + 1}</dt>
          <dd>
            <code>
              {sub_url.http_method === "any" ? "" : `${sub_url.http_method} `}
              {sub_url.regex}
            </code>
          </dd>
        </>
      )}
      <dt>API user</dt>
      <dd>
        {user === null ? "none" : <a href={`/admin/users/${user.id}`}>{user.email}</a>}
      </dd>
      <dt>From</dt>
      <dd>
        <code>{address}</code>
      </dd>
      <dt>Decided by</dt>
      <dd>
        {version === null ? "the drafts" : version === 0 ? "the file alone" : `version ${version}`}
      </dd>
    </dl>
  );
}

const marks = {
  pass: { icon: "check", words: "passes" },
  refuse: { icon: "close", words: "refused" },
  answer: { icon: "info", words: "answered" },
  skip: { icon: "skip", words: "not reached" },
} as const;

interface RuleProps {
  readonly stage: ExplainedStage;
  readonly explanation: Explanation;
}

interface StageProps extends RuleProps {
  /** Whether the stage before has the same to say. */
  readonly isToldAbove: boolean;
}

function Stage({ stage, explanation, isToldAbove }: StageProps) {
  const { title, decision, would, why } = stage;
  const { icon, words } = marks[decision];
  const isMoot = decision === "skip" && (would === "refuse" || would === "answer");
  return (
    <li class={`stage stage-${decision}`}>
      <span class="stage-mark">
        <Icon name={icon} />
      </span>
      <div>
        <p class="stage-head">
          <strong>{title}</strong> <span class="stage-word">{words}</span>
          {isMoot && (
            <span class="stage-word stage-would">
              {would === "refuse" ? "would refuse too" : "would answer"}
            </span>
          )}
        </p>
        {!isToldAbove && <p class="stage-why">{why}</p>}
        {(decision !== "skip" || isMoot) && <RuleLine stage={stage} explanation={explanation} />}
      </div>
    </li>
  );
}

/** The setting that the decision goes by, as a link to where it is edited. */
function RuleLine({ stage: { rule, decision }, explanation }: RuleProps) {
  if (rule === null) return null;
  const { setting, path, source, value } = rule;
  const href = ruleLink(rule, explanation);
  const name = <code>{path ?? setting}</code>;
  const text = valueText(value);
  if (path === null && text === "") {
    // Nobody says anything: worth telling only where a call fails by it.
    return decision === "refuse" && (
      <p class="stage-rule small">
        <span class="muted">Rule:</span> {name} <span class="muted">(set nowhere)</span>
      </p>
    );
  }
  return (
    <p class="stage-rule small">
      <span class="muted">Rule:</span> {href === null ? name : <a href={href}>{name}</a>}
      {text !== "" && (
        <>
          {" = "}
          <code>{text}</code>
        </>
      )} <span class="muted">({sourceWords[source]})</span>
    </p>
  );
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function AnswerHeaders({ headers }: { headers: Explanation["answer_headers"] }) {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>Put on the answer</h2>
      <pre class="explain-headers"><code>
        {entries.map(([name, value]) => `${name}: ${value}`).join("\n")}
      </code></pre>
    </section>
  );
}
