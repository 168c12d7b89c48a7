/** No website backend yet: what one is for, and how to add one, in the form or with curl. */
import { ButtonLink } from "../Button.tsx";
import { CreateByCurl } from "../CreateByCurl.tsx";
import { EmptyState } from "../EmptyState.tsx";

const example = { frontend_host: "www.example.org", server_host: "10.0.0.9", server_port: 80 };

export function NoWebsites({ baseUrl }: { baseUrl: string }) {
  return (
    <EmptyState
      title="No website backend yet"
      text={
        <>
          A website backend is the server behind everything on a host that is no API and no page of
          Portico's own. Without one, a host shows <a href="/">the homepage</a>{" "}
          and nothing else besides its APIs.
        </>
      }
    >
      <ButtonLink href="/admin/websites/new" look="primary">Add a website backend</ButtonLink>
      <CreateByCurl
        baseUrl={baseUrl}
        resource="website_backends"
        example={example}
        noun="a website backend"
      />
    </EmptyState>
  );
}
