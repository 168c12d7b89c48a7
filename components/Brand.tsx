/** The mark and the name of the service, as the way home. */
import { Mark } from "./Mark.tsx";

export function Brand({ name, href }: { name: string; href: string }) {
  return (
    <a class="brand" href={href}>
      <Mark />
      <span>{name}</span>
    </a>
  );
}
