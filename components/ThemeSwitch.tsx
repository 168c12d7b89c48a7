/**
 * Light, dark, or as the system has it: a form of three buttons. The choice is
 * kept in a cookie, so that the server renders it and no page flashes.
 */
import type { ThemeChoice } from "./theme.ts";
import { Icon } from "./Icon.tsx";

const choices = [
  { value: "system", icon: "system", words: "Colours as the system has them" },
  { value: "light", icon: "light", words: "Light colours" },
  { value: "dark", icon: "dark", words: "Dark colours" },
] as const;

interface ThemeSwitchProps {
  readonly theme: ThemeChoice;
  /** Path and query of the page to come back to. */
  readonly returnTo: string;
}

export function ThemeSwitch({ theme, returnTo }: ThemeSwitchProps) {
  return (
    <form class="theme" method="post" action="/portico/theme" aria-label="Colours">
      <input type="hidden" name="return_to" value={returnTo} />
      {choices.map(({ value, icon, words }) => (
        <button
          key={value}
          type="submit"
          name="theme"
          value={value}
          title={words}
          aria-label={words}
          aria-pressed={value === theme}
        >
          <Icon name={icon} />
        </button>
      ))}
    </form>
  );
}
