import assert from "node:assert/strict";
import type { HeaderFields } from "../exchange/header_fields.ts";
import { compileHeaderTemplate, headerValueProblem } from "./header_template.ts";

const fields: HeaderFields = [
  ["x-name", `Tom & "Jerry"`],
  ["x-path", "/a/b"],
  ["x-empty", ""],
  ["x.dotted", "dots"],
];

function rendered(template: string): string {
  assert.equal(headerValueProblem("x-any", template), null);
  return compileHeaderTemplate(template)(fields);
}

Deno.test("a variable stands for a header of the request, one that is missing for nothing", () => {
  assert.equal(rendered("path={{{headers.x-path}}};"), "path=/a/b;");
  assert.equal(rendered("{{&headers.x-path}}{{{ headers.x-path }}}"), "/a/b/a/b");
  assert.equal(rendered("<{{headers.x-missing}}>"), "<>");
  assert.equal(rendered("{{headers.X-Path}}"), "&#x2F;a&#x2F;b");
  assert.equal(rendered("{{headers.x.dotted}}"), "dots");
});

Deno.test("values are escaped as in HTML, unless the template says otherwise", () => {
  assert.equal(rendered("{{headers.x-name}}"), "Tom &amp; &quot;Jerry&quot;");
  assert.equal(rendered("{{{headers.x-name}}}"), `Tom & "Jerry"`);
});

Deno.test("a section is there if its header is, an inverted one if it is not", () => {
  const template = "{{#headers.x-path}}has {{{.}}}{{/headers.x-path}}" +
    "{{^headers.x-path}}has none{{/headers.x-path}}";
  assert.equal(rendered(template), "has /a/b");
  assert.equal(compileHeaderTemplate(template)([]), "has none");
  assert.equal(rendered("{{^headers.x-empty}}empty{{/headers.x-empty}}"), "empty");
  assert.equal(
    rendered(
      "{{#headers.x-path}}{{^headers.no}}{{{headers.x.dotted}}}{{/headers.no}}{{/headers.x-path}}",
    ),
    "dots",
  );
});

Deno.test("comments and other delimiters are as in Mustache", () => {
  assert.equal(rendered("a{{! what for }}b"), "ab");
  assert.equal(rendered("{{=<% %>=}}<%&headers.x-path%>{{x}}"), "/a/b{{x}}");
});

Deno.test("a bad template is refused with the place of what is wrong", () => {
  const problem = (template: string) => headerValueProblem("x-any", template);
  assert.equal(problem("a {{headers.x"), "has an error at character 13: Unclosed tag");
  assert.match(problem("{{#headers.x}}") ?? "", /at character 14: Unclosed section "headers.x"/);
  assert.match(problem("ab{{/headers.x}}") ?? "", /at character 3: Unopened section "headers.x"/);
  assert.match(problem("{{> other}}") ?? "", /at character 1: there are no partials/);
  assert.match(problem("-{{path}}") ?? "", /at character 2: "path" stands for nothing: only head/);
  for (const name of ["headers", "headers.", ".", ""]) {
    assert.match(problem(`{{${name}}}`) ?? "", /stands for nothing/, name);
  }
  assert.equal(problem("no template: { } }}"), null);
});

Deno.test("no template lets a caller choose the host, or say what only the gateway may say", () => {
  const problem = headerValueProblem;
  assert.match(problem("Host", "{{headers.x-site}}") ?? "", /must be a plain text/);
  for (const name of ["X-Api-User-Id", "x_api_roles", "X-Forwarded-User", "x.real.ip"]) {
    assert.match(problem(name, "{{headers.x-name}}") ?? "", /stands for nothing/, name);
    assert.match(
      problem(name, "{{^headers.x-name}}a{{/headers.x-name}}") ?? "",
      /stands for nothing/,
    );
    assert.equal(problem(name, "id-{{{headers.X-Api-User-Id}}}"), null);
    assert.equal(problem(name, "fixed"), null);
  }
  assert.equal(problem("X-User", "{{headers.x-api-user-id}}"), null);
});
