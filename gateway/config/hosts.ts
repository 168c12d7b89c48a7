/** The hosts of this server and their certificates: `hosts[]`. */
import * as v from "valibot";
import { hostPattern } from "../records/fields.ts";
import { blame, key } from "./key.ts";
import { path } from "./values.ts";

const certificateHost = v.pipe(
  v.strictObject({
    hostname: v.pipe(hostPattern, v.description("The name, or *.example.org, .example.org, *.")),
    default: key(v.boolean(), false, "The host whose certificate is served; one host at most."),
    ssl_cert: key(v.nullable(path), null, "File with the certificate chain."),
    ssl_cert_key: key(v.nullable(path), null, "File with the certificate's private key."),
  }),
  blame(
    "ssl_cert_key",
    "must be given together with ssl_cert",
    (entry) => (entry.ssl_cert === null) === (entry.ssl_cert_key === null),
  ),
);

type CertificateHost = v.InferOutput<typeof certificateHost>;

export const certificateHosts = v.pipe(v.array(certificateHost), v.rawCheck(oneDefaultEach));

/** No name twice, and one default at most; the later one is to blame. */
function oneDefaultEach(
  { dataset, addIssue }: v.RawCheckContext<CertificateHost[]>,
): void {
  if (!dataset.typed) return;
  const hosts = dataset.value;
  const blameAt = (index: number, name: "hostname" | "default", message: string) => {
    const host = hosts[index];
    if (host === undefined) return;
    addIssue({
      message,
      path: [
        { type: "array", origin: "value", input: hosts, key: index, value: host },
        { type: "object", origin: "value", input: host, key: name, value: host[name] },
      ],
    });
  };
  const names = hosts.map((host) => host.hostname.toLowerCase());
  hosts.forEach((host, index) => {
    const name = names[index] ?? "";
    if (names.indexOf(name) < index) blameAt(index, "hostname", "is already taken");
    const first = hosts.findIndex((other) => other.default);
    if (host.default && first < index) {
      blameAt(index, "default", `is already true for hosts[${first}]: one host can be the default`);
    }
  });
}
