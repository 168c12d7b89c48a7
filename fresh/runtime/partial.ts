import { type ComponentChildren, Fragment, h, type VNode } from "preact";

export interface PartialProps {
  name: string;
  mode?: "append" | "prepend" | "replace";
  children?: ComponentChildren;
}

/** Shows its children. Client-side navigation, which would update them in place, is not supported. */
export function Partial({ children }: PartialProps): VNode {
  return h(Fragment, null, children);
}
