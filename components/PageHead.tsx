/** The head of an admin page: title, one sentence, and the primary action at the right. */
import type { ComponentChildren } from "preact";
import { Head } from "fresh/runtime";

interface PageHeadProps {
  readonly title: string;
  readonly siteName: string;
  readonly text: ComponentChildren;
  readonly action?: ComponentChildren;
}

export function PageHead({ title, siteName, text, action }: PageHeadProps) {
  return (
    <header class="page-head">
      <Head>
        <title>{`${title} · ${siteName}`}</title>
      </Head>
      <div>
        <h1>{title}</h1>
        <p>{text}</p>
      </div>
      {action !== undefined && <div class="row">{action}</div>}
    </header>
  );
}
