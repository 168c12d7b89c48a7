/** The other way to add the first record of a kind: a `curl` line, with an example. */
import { CopyBox } from "./CopyBox.tsx";

interface CreateByCurlProps {
  /** This server's URL, as callers see it. */
  readonly baseUrl: string;
  /** The path below `/admin/api/v1/`. */
  readonly resource: string;
  readonly example: object;
  /** What it adds: "an API backend". */
  readonly noun: string;
}

export function CreateByCurl({ baseUrl, resource, example, noun }: CreateByCurlProps) {
  const line = `curl -X POST -H "Authorization: Bearer YOUR_ADMIN_TOKEN" ` +
    `-H "Content-Type: application/json" -d '${JSON.stringify(example)}' ` +
    `"${baseUrl}/admin/api/v1/${resource}"`;
  return (
    <>
      <p>
        Or with curl and an <a href="/admin/tokens">admin token</a>:
      </p>
      <CopyBox id={`add-to-${resource}`} text={line} label={`curl line to add ${noun}`} />
    </>
  );
}
