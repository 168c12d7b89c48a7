/** The part of the package `mustache` that is used here: its parser. */

/** A section holds tokens of its own. */
export type Token =
  | [type: "#" | "^", name: string, start: number, end: number, inner: Token[], close: number]
  | [
    type: "text" | "name" | "&" | "!" | "=" | ">",
    text: string,
    start: number,
    end: number,
    ...unknown[],
  ];

declare const mustache: {
  readonly Writer: new () => {
    /** Throws an `Error` for what is no template, with ` at ` and a position in its message. */
    parse(template: string): Token[];
  };
};

export default mustache;
