/** Asks one server under whatever host name a test likes, over HTTP or HTTPS. */
import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:tls";

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Asks the server at `origin` (`http://127.0.0.1:8080`) for a target at `host`. Follows no
 * redirect, sends the target as it stands, and takes any certificate; over HTTPS the host
 * is also the name that is asked for (SNI).
 */
export function ask(
  origin: string,
  host: string,
  target: string,
  { method = "GET", headers = {} }: AskOptions = {},
): Promise<Answered> {
  const { protocol, port } = new URL(origin);
  const options = {
    host: "127.0.0.1",
    port,
    path: target,
    method,
    headers: { host, ...headers },
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const request = protocol === "https:"
      ? httpsRequest({ ...options, servername: host, rejectUnauthorized: false })
      : httpRequest(options);
    request.on("error", reject);
    request.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => text += part);
      response.on("end", () => resolve({ status, headers, text }));
      response.on("error", reject);
    });
    request.end();
  });
}

/**
 * The first name on the certificate that a client gets who asks for `servername` (empty:
 * for none), or null when the handshake fails.
 */
export function nameShown(port: number, servername: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      rejectUnauthorized: false,
      ...(servername === "" ? {} : { servername }),
    }, () => {
      const [first = ""] = (socket.getPeerCertificate().subjectaltname ?? "").split(", ");
      resolve(first.replace("DNS:", ""));
      socket.destroy();
    });
    socket.on("error", () => resolve(null));
  });
}
