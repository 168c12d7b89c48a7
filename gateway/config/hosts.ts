/** The hosts of this server, their certificates and what holds for them: `hosts[]`. */
import * as v from "valibot";
import { hostName } from "../exchange/host_name.ts";
import { fieldStep, itemStep } from "../records/blame_field.ts";
import { hostPattern, requiredText } from "../records/fields.ts";
import { blame, key } from "./key.ts";
import { path } from "./values.ts";

/**
 * The value of Strict-Transport-Security (RFC 6797 §6.1): directives, none of them twice,
 * `max-age` among them.
 */
const strictTransport = v.pipe(
  requiredText(255),
  v.check(
    (value) => isStrictTransport(value),
    'must be a value of Strict-Transport-Security such as "max-age=31536000; includeSubDomains"',
  ),
);

/** directive = token [ "=" ( token | quoted-string ) ] */
const DIRECTIVE =
  /^([!#$%&'*+.^_`|~\w-]+)(?:[ \t]*=[ \t]*([!#$%&'*+.^_`|~\w-]+|"[\x20\x21\x23-\x5b\x5d-\x7e]*"))?$/;

function isStrictTransport(value: string): boolean {
  const directives = value.split(";").map((part) => part.trim()).filter((part) => part !== "")
    .map((part) => DIRECTIVE.exec(part));
  const names = directives.map((directive) => directive?.[1]?.toLowerCase());
  if (names.includes(undefined) || new Set(names).size < names.length) return false;
  return directives.every((directive, index) => {
    if (names[index] === "max-age") return /^"?\d+"?$/.test(directive?.[2] ?? "");
    return names[index] !== "includesubdomains" || directive?.[2] === undefined;
  }) && names.includes("max-age");
}

const servedHost = v.pipe(
  v.strictObject({
    hostname: v.pipe(hostPattern, v.description("The name, or *.example.org, .example.org, *.")),
    default: key(
      v.boolean(),
      false,
      "The host that stands in for hosts that are not known; one at most.",
    ),
    ssl_cert: key(v.nullable(path), null, "File with the certificate chain."),
    ssl_cert_key: key(v.nullable(path), null, "File with the certificate's private key."),
    http_strict_transport_security: key(
      v.nullable(strictTransport),
      null,
      "Value of the header Strict-Transport-Security on every answer for this host over HTTPS. " +
        "Browsers then refuse plain HTTP for as many seconds. Empty means none.",
    ),
  }),
  blame(
    "ssl_cert_key",
    "must be given together with ssl_cert",
    (entry) => (entry.ssl_cert === null) === (entry.ssl_cert_key === null),
  ),
);

type ServedHost = v.InferOutput<typeof servedHost>;

export const servedHosts = v.pipe(v.array(servedHost), v.rawCheck(oneDefaultEach));

/** No name twice, and one default at most; the later one is to blame. */
function oneDefaultEach(
  { dataset, addIssue }: v.RawCheckContext<ServedHost[]>,
): void {
  if (!dataset.typed) return;
  const hosts = dataset.value;
  const blameAt = (index: number, name: "hostname" | "default", message: string) => {
    const host = hosts[index];
    if (host === undefined) return;
    addIssue({ message, path: [itemStep(hosts, index), fieldStep(host, name)] });
  };
  const names = hosts.map((host) => hostName(host.hostname));
  hosts.forEach((host, index) => {
    const name = names[index] ?? "";
    if (names.indexOf(name) < index) blameAt(index, "hostname", "is already taken");
    const first = hosts.findIndex((other) => other.default);
    if (host.default && first < index) {
      blameAt(index, "default", `is already true for hosts[${first}]: one host can be the default`);
    }
  });
}
