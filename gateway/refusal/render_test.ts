import assert from "node:assert/strict";
import { Refusal } from "./refusals.ts";
import { renderRefusal } from "./render.ts";

const contact = "https://api.example/contact/?a=1&b=2";

function render(
  refused: Refusal,
  path = "/",
  accept: string | null = null,
  contact_page: string | null = contact,
) {
  return renderRefusal(refused, {
    requestId: "id-1",
    path,
    query: null,
    accept,
    siteName: "Example <API>",
    links: {
      signup_url: "https://api.example/signup/",
      contact_url: contact,
      contact_page,
      home_url: "https://api.example/",
      https_url: 'https://api.example/x?"<script>',
    },
  });
}

Deno.test("JSON holds API Umbrella's code and text", () => {
  const response = render(new Refusal("API_KEY_MISSING"));
  assert.equal(response.status, 403);
  const headers = new Map(response.headers);
  assert.equal(headers.get("access-control-allow-origin"), "*");
  assert.equal(headers.get("x-request-id"), "id-1");
  assert.deepEqual(JSON.parse(response.body), {
    error: {
      code: "API_KEY_MISSING",
      message: "No api_key was supplied. Get one at https://api.example/signup/",
    },
  });
});

Deno.test("XML and HTML escape what the caller chose", () => {
  const xml = render(new Refusal("HTTPS_REQUIRED"), "/x.xml").body;
  assert.match(xml, /<code>HTTPS_REQUIRED<\/code>/);
  assert.ok(!xml.includes("<script>"));
  const html = render(new Refusal("HTTPS_REQUIRED"), "/x.html").body;
  assert.match(html, /Example &lt;API&gt;/);
  assert.ok(!html.includes("<script>"));
});

Deno.test("the page has a contact button only where there is somebody to ask", () => {
  const button =
    /<a class="button" href="https:\/\/api\.example\/contact\/\?a=1&amp;b=2">Contact us/;
  const disabled = new Refusal("API_KEY_DISABLED");
  assert.match(render(disabled, "/x.html").body, button);
  const without = render(disabled, "/x.html", null, null).body;
  assert.doesNotMatch(without, /class="button"/);
  assert.match(without, /Contact us at https:\/\/api\.example\/contact\//);
});

Deno.test("CSV quotes its cells", () => {
  const csv = render(new Refusal("BAD_REQUEST", 'The segment ".."'), "/x.csv").body;
  assert.equal(
    csv,
    'Error Code,Error Message\n"BAD_REQUEST","The request is not one this server can pass on. ' +
      'The segment "".."""\n',
  );
});
