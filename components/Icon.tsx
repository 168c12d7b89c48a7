/** The few icons of the pages, drawn on a 16 px grid in the colour of the text around them. */

const drawings = {
  alert: "M8 2.5 14.5 13.5h-13zM8 6.5v3M8 11.4v.2",
  check: "m3 8.5 3.5 3.5L13 4.5",
  close: "m4 4 8 8M12 4l-8 8",
  dark: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
  info: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM8 7.5v4M8 4.6v.2",
  light: "M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15" +
    "M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3",
  skip: "M4 8h8",
  menu: "M2 4.5h12M2 8h12M2 11.5h12",
  system: "M2 3h12v8H2zM5.5 13.5h5",
} as const;

export type IconName = keyof typeof drawings;

/** Always beside a word, or inside something that has a name; so hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={drawings[name]} />
    </svg>
  );
}
