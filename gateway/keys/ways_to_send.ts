/** The ways to send an API key, in words for whoever is to choose one. */
import type { ApiKeyMethod } from "../exchange/api_key.ts";

export interface WayToSend {
  readonly title: string;
  readonly text: string;
  /** For URLs that begin with `protocol`, such as `https:`. */
  readonly example: (protocol: string) => string;
}

export const waysToSend: Readonly<Record<ApiKeyMethod, WayToSend>> = {
  header: {
    title: "As a header",
    text: "The best way: it leaves no trace in addresses.",
    example: () => "X-Api-Key: your-key",
  },
  get_param: {
    title: "In the query",
    text: "For a quick try. Addresses end up in histories, so not for lasting use.",
    example: () => "…?api_key=your-key",
  },
  basic_auth_username: {
    title: "As Basic user name",
    text: "For tools that know nothing else. The password stays empty.",
    example: (protocol) => `${protocol}//your-key:@…`,
  },
};
