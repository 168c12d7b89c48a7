/** Who is not served at all, made ready for every request. */
import type { BanSettings } from "../config/bans.ts";
import { compileRanges, inRanges } from "../exchange/client.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Pattern } from "../patterns/pattern.ts";

export interface BanAnswer {
  readonly status: number;
  readonly message: string;
  /** How long it is held back, in ms. */
  readonly delay: number;
}

export interface Bans {
  holdFor(exchange: Exchange): boolean;
  readonly answer: BanAnswer;
}

/** Null: nobody is banned. */
export function compileBans({ ips, user_agents, response }: BanSettings): Bans | null {
  if (ips.length === 0 && user_agents.length === 0) return null;
  const ranges = compileRanges(ips);
  const userAgents = user_agents.map((source) => new Pattern(source));
  return {
    holdFor: ({ address, headers }) => {
      if (inRanges(address, ranges)) return true;
      const userAgent = userAgents.length === 0 ? "" : headers.get("user-agent") ?? "";
      return userAgents.some((pattern) => pattern.test(userAgent));
    },
    answer: {
      status: response.status_code,
      message: response.message,
      delay: response.delay * 1000,
    },
  };
}
