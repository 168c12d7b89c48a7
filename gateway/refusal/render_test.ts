import assert from "node:assert/strict";
import { ErrorAnswers } from "./error_answers.ts";
import type { RefusalFormat } from "./format.ts";
import { Refusal } from "./refusals.ts";
import { renderRefusal } from "./render.ts";

const contact = "https://api.example/contact/?a=1&b=2";

interface Choices {
  readonly path?: string;
  readonly accept?: string;
  readonly contact_page?: string | null;
  readonly common?: Record<string, string | number | boolean>;
  readonly templates?: Record<string, string>;
}

function render(refused: Refusal, { path = "/", ...choices }: Choices = {}) {
  const answers = new ErrorAnswers({
    common: new Map(Object.entries(choices.common ?? {})),
    byRefusal: new Map([["over_rate_limit", new Map([["status_code", 420]])]]),
    templates: new Map(Object.entries(choices.templates ?? {}) as [RefusalFormat, string][]),
  });
  return renderRefusal(refused, {
    requestId: "id-1",
    path,
    query: null,
    accept: choices.accept ?? null,
    siteName: "Example <API>",
    apiKeyMethods: ["header", "basic_auth_username"],
    links: {
      base_url: "https://api.example",
      signup_url: "https://api.example/signup/",
      contact_url: contact,
      contact_page: choices.contact_page === undefined ? contact : choices.contact_page,
      home_url: "https://api.example/",
      https_url: 'https://api.example/x?"<script>{{code}}',
    },
  }, answers);
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
  const xml = render(new Refusal("HTTPS_REQUIRED"), { path: "/x.xml" }).body;
  assert.match(xml, /<code>HTTPS_REQUIRED<\/code>/);
  assert.ok(!xml.includes("<script>"));
  const html = render(new Refusal("HTTPS_REQUIRED"), { path: "/x.html" }).body;
  assert.match(html, /Example &lt;API&gt;/);
  assert.ok(!html.includes("<script>"));
});

Deno.test("the page has a contact button only where there is somebody to ask", () => {
  const button =
    /<a class="button button-primary" href="https:\/\/api\.example\/contact\/\?a=1&amp;b=2">Contact us/;
  const disabled = new Refusal("API_KEY_DISABLED");
  assert.match(render(disabled, { path: "/x.html" }).body, button);
  const without = render(disabled, { path: "/x.html", contact_page: null }).body;
  assert.doesNotMatch(without, /class="button/);
  assert.match(without, /Contact us at https:\/\/api\.example\/contact\//);
});

Deno.test("CSV quotes its cells", () => {
  const csv = render(new Refusal("BAD_REQUEST", 'The segment ".."'), { path: "/x.csv" }).body;
  assert.equal(
    csv,
    'Error Code,Error Message\n"BAD_REQUEST","The request is not one this server can pass on. ' +
      'The segment "".."""\n',
  );
});

Deno.test("the page says how a key is sent, in the ways that are taken", () => {
  const html = render(new Refusal("API_KEY_MISSING"), { path: "/x.html" }).body;
  assert.match(html, /<code>X-Api-Key: your-key<\/code>/);
  assert.match(html, /<code>https:\/\/your-key:@…<\/code>/);
  assert.doesNotMatch(html, /\?api_key=/);
  assert.match(
    html,
    /<a class="button button-primary" href="https:\/\/api\.example\/signup\/">Get an API key/,
  );
  const limited = render(new Refusal("OVER_RATE_LIMIT"), { path: "/x.html" }).body;
  assert.doesNotMatch(limited, /X-Api-Key/);
});

Deno.test("the page says when to come again", () => {
  const limited = new Refusal("OVER_RATE_LIMIT", "", [["retry-after", "290"]]);
  assert.match(render(limited, { path: "/x.html" }).body, /You can call again in 5 minutes\./);
});

Deno.test("a template has the values of its format, and the format's type", () => {
  const templates = {
    json: '{"e": {{code}}, "n": {{n}}, "why": {{message}}, "id": {{request_id}}}',
    xml: "  <e>{{message}}</e>\n",
    csv: "{{code}},{{message}}",
    html: "<p title='{{message}}'>{{none}}",
  };
  const common = { message: `"a" & <b> {{n}}`, n: 7 };
  const body = (path: string) => {
    const { headers, body } = render(new Refusal("NOT_FOUND"), { path, common, templates });
    return `${new Map(headers).get("content-type")} ${body}`;
  };
  assert.equal(
    body("/x"),
    'application/json; charset=utf-8 {"e": "NOT_FOUND", "n": 7, "why": "\\"a\\" & <b> 7", ' +
      '"id": "id-1"}',
  );
  assert.equal(
    body("/x.xml"),
    "application/xml; charset=utf-8 <e>&quot;a&quot; &amp; &lt;b&gt; 7</e>",
  );
  assert.equal(body("/x.csv"), 'text/csv; charset=utf-8 "NOT_FOUND","""a"" & <b> 7"');
  assert.equal(
    body("/x.html"),
    "text/html; charset=utf-8 <p title='&quot;a&quot; &amp; &lt;b&gt; 7'>{{none}}",
  );
});

Deno.test("what a caller sent is neither markup nor a tag, and a page has no scripts", () => {
  const templates = { html: "<a href='{{https_url}}'>", json: '{"at": {{https_url}}}' };
  const html = render(new Refusal("HTTPS_REQUIRED"), { path: "/x.html", templates });
  assert.equal(html.body, "<a href='https://api.example/x?&quot;&lt;script&gt;{{code}}'>");
  const policy = new Map(html.headers).get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none'/);
  assert.doesNotMatch(policy, /script-src/);
  const json = render(new Refusal("HTTPS_REQUIRED"), { templates });
  assert.deepEqual(JSON.parse(json.body), { at: 'https://api.example/x?"<script>{{code}}' });
});

Deno.test("what an answer is made of is no variable unless it is said to be one", () => {
  const templates = { csv: "{{home_url}}{{contact_page}}{{siteName}}" };
  const { body } = render(new Refusal("NOT_FOUND"), { path: "/x.csv", templates });
  assert.equal(body, templates.csv);
});

Deno.test("a template that gives no JSON, or too much, gives way to what is built in", () => {
  const built = { error: { code: "NOT_FOUND", message: "long".repeat(1000) } };
  const common = { message: "long".repeat(1000) };
  for (const json of ["{{code}", '{"x": {{none}}}', `[${"{{message}},".repeat(600)}1]`]) {
    const { body } = render(new Refusal("NOT_FOUND"), { common, templates: { json } });
    assert.deepEqual(JSON.parse(body), built);
  }
});

Deno.test("data change code, message and status, and where the page leads", () => {
  const common = {
    code: "GONE_AWAY",
    message: "Ask at {{contact_url}}",
    contact_url: "mailto:ask@example.org",
  };
  const { status, body } = render(new Refusal("OVER_RATE_LIMIT"), { path: "/x.html", common });
  assert.equal(status, 420);
  assert.match(body, /<dd>GONE_AWAY<\/dd>/);
  assert.match(body, /<p>Ask at mailto:ask@example\.org<\/p>/);
  assert.match(body, /<a class="button button-primary" href="mailto:ask@example\.org">Contact us/);
});

Deno.test("a button never leads to a script", () => {
  const common = { signup_url: "javascript:alert(1)" };
  const { body } = render(new Refusal("API_KEY_MISSING"), { path: "/x.html", common });
  assert.doesNotMatch(body, /href="javascript/);
});
