/** A query that is added to that of every call, in place of arguments of the same names. */
import { argumentName } from "../exchange/query_argument.ts";

export class AppendedQuery {
  readonly #names: ReadonlySet<string>;

  constructor(readonly query: string) {
    this.#names = new Set(query.split("&").map(argumentName).filter((name) => name !== ""));
  }

  /** @param query the call's, without `?`; null when it has none */
  appendTo(query: string | null): string {
    if (query === null || query === "") return this.query;
    // By their decoded names: the backend would take `%61=1` for `a=1`.
    const kept = query.split("&").filter((argument) => !this.#names.has(argumentName(argument)));
    return [...kept, this.query].join("&");
  }
}
