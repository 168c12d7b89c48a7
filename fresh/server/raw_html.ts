import { Fragment, h, type VNode } from "preact";

/** HTML that is written as it is: preact-render-to-string does so with the `tpl` of a fragment. */
export function rawHtml(html: string): VNode {
  return h(Fragment, { tpl: [html] } as object);
}
