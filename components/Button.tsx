/** Buttons, and links that look like one. A page has one `primary`: what it is there for. */
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

export type ButtonLook = "primary" | "secondary" | "danger" | "quiet";

interface Look {
  readonly look?: ButtonLook;
  readonly small?: boolean;
}

function className(look: ButtonLook = "secondary", small = false): string {
  return `button button-${look}${small ? " button-small" : ""}`;
}

type ButtonProps = Look & Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "className">;

/** A `<button>`; it submits its form unless `type` says otherwise. */
export function Button({ look, small, type = "submit", ...rest }: ButtonProps) {
  return <button {...rest} type={type} class={className(look, small)} />;
}

interface ButtonLinkProps extends Look {
  readonly href: string;
  readonly children: ComponentChildren;
}

export function ButtonLink({ href, look, small, children }: ButtonLinkProps) {
  return <a href={href} class={className(look, small)}>{children}</a>;
}
