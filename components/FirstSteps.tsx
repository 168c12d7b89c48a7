/** The operator's way from a new server to a first call. */
import type { ComponentChildren } from "preact";
import { ButtonLink } from "./Button.tsx";
import { Icon } from "./Icon.tsx";

/** The step that is to be done now. */
export type Progress = "set-up" | "add-backend" | "publish";

interface Step {
  readonly progress: Progress;
  readonly title: string;
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

const steps: readonly Step[] = [
  {
    progress: "set-up",
    title: "Create your admin account",
    text: "The account that manages this server. Whoever comes after you signs in.",
    href: "/admin/setup",
    action: "Create the account",
  },
  {
    progress: "add-backend",
    title: "Add an API backend",
    text: "Say where your web service runs, and below which path it is called here.",
    href: "/admin/backends/new",
    action: "Add a backend",
  },
  {
    progress: "publish",
    title: "Publish it",
    text: "Calls reach it within a second. Then sign up for a key, and make the first one.",
    href: "/admin/publish",
    action: "Review and publish",
  },
];

export function FirstSteps({ progress }: { progress: Progress }) {
  const current = steps.findIndex((step) => step.progress === progress);
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <StepLine
          key={step.progress}
          step={step}
          number={index + 1}
          state={index < current ? "done" : index === current ? "ready" : "waiting"}
        />
      ))}
    </ol>
  );
}

interface StepLineProps {
  readonly step: Step;
  readonly number: number;
  readonly state: "done" | "ready" | "waiting";
}

function StepLine({ step, number, state }: StepLineProps) {
  const sign: ComponentChildren = state === "done" ? <Icon name="check" /> : number;
  return (
    <li class={`step step-${state}`} aria-current={state === "ready" ? "step" : undefined}>
      <span class="step-number" aria-hidden="true">{sign}</span>
      <div>
        <h2>
          {step.title}
          {state === "done" && <span class="visually-hidden">: done</span>}
        </h2>
        <p>{step.text}</p>
      </div>
      {state === "ready" && <ButtonLink href={step.href} look="primary">{step.action}</ButtonLink>}
    </li>
  );
}
