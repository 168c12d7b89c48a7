/**
 * Portico's own pages and its REST API, where requests for them come in: they are made
 * elsewhere, so here it is seen to that not too many are asked for at one time, and that
 * the bodies of requests keep to their bounds.
 */
import { type BodyBounds, BodyReader, streamOf } from "../exchange/body_reader.ts";
import { type ClientFacts, isDirect } from "../exchange/client.ts";
import { bodyRefusal, RETRY_SOON } from "../exchange/client_bounds.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderField } from "../exchange/header_fields.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { CallContext } from "./call_context.ts";
import { baseUrl } from "./links.ts";
import { refusalResponse } from "./own_answers.ts";

/** A request for one of Portico's own pages. */
export interface OwnPageRequest {
  readonly method: string;
  /** With the canonical path. */
  readonly url: string;
  readonly headers: HeaderField[];
  readonly body: ReadableStream<Uint8Array> | null;
  readonly peer: Deno.NetAddr;
  readonly client: ClientFacts;
}

/** One isolate makes the pages for all, and holds their bodies. */
const ASKED_MAX = 256;

export class OwnPages {
  readonly #ask: (request: OwnPageRequest) => Promise<Response>;
  #asked = 0;

  /** `ask` has a page made. */
  constructor(ask: (request: OwnPageRequest) => Promise<Response>) {
    this.#ask = ask;
  }

  /** Answers a request for a page; rejects when nobody makes it. */
  async answer(context: CallContext, peer: Deno.NetAddr, bounds: BodyBounds): Promise<Response> {
    if (this.#asked >= ASKED_MAX) {
      return refusalResponse(new Refusal("SERVER_BUSY", "", [RETRY_SOON]), context);
    }
    const { body } = context.exchange;
    const request = pageRequest(context, peer);
    // Such as http://a.6/: backends may go by that name, but no page can be asked for by it.
    if (!URL.canParse(request.url)) {
      return refusalResponse(new Refusal("BAD_REQUEST", "The Host header is not valid."), context);
    }
    this.#asked++;
    try {
      return body === null
        ? await this.#ask({ ...request, body })
        : await this.#askWithBody(request, new BodyReader(body, bounds), bounds, context);
    } finally {
      this.#asked--;
    }
  }

  async #askWithBody(
    request: Omit<OwnPageRequest, "body">,
    reader: BodyReader,
    bounds: BodyBounds,
    context: CallContext,
  ): Promise<Response> {
    try {
      const response = await this.#ask({ ...request, body: streamOf(reader) });
      if (reader.fault === null || reader.fault === "client_aborted") return response;
      await response.body?.cancel();
      return refusalResponse(bodyRefusal(reader.fault, bounds), context);
    } finally {
      reader.cancel();
    }
  }
}

function pageRequest(
  { exchange, config }: CallContext,
  { transport, hostname, port }: Deno.NetAddr,
): Omit<OwnPageRequest, "body"> {
  const { method, headers, address, scheme, authority, host, requestId } = exchange;
  return {
    method,
    url: canonicalUrl(exchange),
    headers: [...headers],
    peer: { transport, hostname, port },
    client: {
      address,
      scheme,
      host: authority,
      baseUrl: baseUrl(config, exchange),
      requestId,
      direct: isDirect(headers, hostname, host),
    },
  };
}

/** With the canonical path: what was decided on is what is routed. */
function canonicalUrl({ scheme, authority, path, query }: Exchange): string {
  return `${scheme}://${authority}${path}${query === null ? "" : `?${query}`}`;
}
