/** Whether a request asks for a WebSocket; one that asks wrongly is a request like any other. */

/** 16 bytes in base64 */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/**
 * RFC 6455 §4.2.1. What is left out is the upstream's to complain of: it gets the request
 * without the Upgrade field, which RFC 9110 §7.8 allows anybody to ignore.
 */
export function asksForWebSocket(method: string, headers: Headers): boolean {
  const upgrade = headers.get("upgrade");
  return upgrade !== null && method === "GET" && lists(upgrade, "websocket") &&
    lists(headers.get("connection"), "upgrade") &&
    headers.get("sec-websocket-version") === "13" &&
    KEY.test(headers.get("sec-websocket-key") ?? "");
}

function lists(value: string | null, option: string): boolean {
  return value !== null &&
    value.split(",").some((listed) => listed.trim().toLowerCase() === option);
}
