import assert from "node:assert/strict";
import fc from "fast-check";
import { type ApiUser, userInput } from "@/gateway/records/user.ts";
import { fieldErrors, validate } from "@/gateway/records/validate.ts";
import { postedFields } from "../fields/fields_form.ts";
import { newUserForm, readUserForm, type UserForm } from "./user_form.ts";
import { userErrors, userForm, userRecord } from "./user_record.ts";
import { userEdits } from "./user_rows.ts";
import { detailFields, limitFields, userSettingFields } from "./user_table.ts";

const person = { email: "ada@example.org", first_name: "Ada", last_name: "Caller" };

function stored(more: Record<string, unknown>): ApiUser {
  const at = "2030-01-01T00:00:00.000Z";
  return {
    ...validate(userInput, { ...person, ...more }),
    id: "018f0000-0000-7000-8000-000000000001",
    created_at: at,
    created_by: "jane",
    updated_at: at,
    updated_by: "jane",
    version: 1,
    api_key_preview: "ptk_a1B2c3",
    registration_source: "admin",
    registration_ip: null,
  };
}

/** What a browser sends of a form that nobody touched. */
function posted(form: UserForm): [string, string][] {
  const { details, settings, backend_limits, roles, ...texts } = form;
  return [
    ...Object.entries(texts).filter(([, value]) => value !== ""),
    ...roles.map((role, index): [string, string] => [`roles[${index}]`, role]),
    ...postedFields(detailFields, details, ""),
    ...postedFields(userSettingFields, settings, "settings"),
    ...backend_limits.flatMap(({ backend_id, limits }, index) => {
      const path = `settings.backend_limits[${index}]`;
      return [
        [`${path}.backend_id`, backend_id] as const,
        ...postedFields(limitFields, limits, path),
      ];
    }),
  ].map(([name, value]) => [name, value]);
}

const limit = fc.record({
  duration: fc.constantFrom(1000, 1500, 60_000, 86_400_000),
  limit_by: fc.constantFrom("api_key", "ip"),
  limit: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  response_headers: fc.boolean(),
}).map((one) => ({ rate_limit_mode: "custom", rate_limits: [one] }));
const quota = fc.record({
  period: fc.constantFrom("day", "month"),
  limit_by: fc.constantFrom("api_key", "ip"),
  limit: fc.integer({ min: 1, max: 1_000_000 }),
}).map((one) => ({ quotas: [one] }));
const limits = fc.oneof(
  fc.constant({}),
  fc.constant({ rate_limit_mode: "unlimited" }),
  limit,
  quota,
  fc.tuple(limit, quota).map(([one, other]) => ({ ...one, ...other })),
).map((some) => ({ rate_limit_mode: null, ...some }));
const anyUser = fc.record({
  use_description: fc.constantFrom("", "one line", "two\nlines"),
  website: fc.constantFrom("", "https://example.org"),
  metadata: fc.constantFrom(null, { contract: 7, of: { places: ["a", "b"] } }),
  roles: fc.uniqueArray(fc.constantFrom("staff", "reader", "a b")),
  enabled: fc.boolean(),
  email_verified: fc.boolean(),
  throttle_by_ip: fc.boolean(),
  expires_at: fc.constantFrom(null, "2031-05-06T07:08:09.000Z"),
  settings: fc.tuple(limits, limits, fc.boolean()).map(([own, forOne, some]) => ({
    ...own,
    allowed_ips: some ? ["10.0.0.0/8", "::1"] : [],
    allowed_referers: some ? ["https://*.example.org/a,b"] : [],
    backend_limits: some ? [{ backend_id: "backend-1", ...forOne }] : [],
  })),
});

Deno.test("property: a user whose form is sent back untouched stays what it is", () => {
  fc.assert(fc.property(anyUser, (fields) => {
    const user = stored(fields);
    const form = userEdits.withoutBlankRows(readUserForm(posted(userForm(user))));
    assert.deepEqual(
      validate(userInput, userRecord(form)),
      validate(userInput, {
        ...person,
        ...fields,
      }),
    );
  }));
});

Deno.test("rows that nobody filled in are not sent, and lists take rows at their path", () => {
  const adding = ["add:roles", "add:settings.backend_limits", "add:settings.quotas"];
  const form = adding.reduce<UserForm>(
    (at, action) => userEdits.withRowAction(at, action) ?? at,
    newUserForm,
  );
  assert.deepEqual([form.roles, form.backend_limits.length, form.settings.quotas.length], [
    [""],
    1,
    1,
  ]);
  assert.deepEqual(userRecord(userEdits.withoutBlankRows(form)), userRecord(newUserForm));
  const nested = userEdits.withRowAction(form, "add:settings.backend_limits[0].quotas");
  assert.equal(nested?.backend_limits[0]?.limits.quotas.length, 1);
  assert.equal(userEdits.withRowAction(form, "remove:roles[0]")?.roles.length, 0);
  assert.equal(userEdits.withRowAction(form, "add:settings.backend_limits[7].quotas"), null);
  assert.equal(userEdits.withRowAction(form, "add:servers"), null);
});

Deno.test("errors are told at their field: a list's bad item by its text, YAML by its line", () => {
  const form = readUserForm([
    ["settings.allowed_ips", "10.0.0.1\nhome"],
    ["metadata", "a: 1\nb: [2"],
    ["expires_at", "2031-05-06T07:08"],
  ]);
  const errors = userErrors(fieldErrors(userInput, userRecord(form)), form);
  const messages = new Map(errors.map(({ field, message }) => [field, message]));
  assert.equal(messages.get("email"), "Provide their email address.");
  assert.match(messages.get("settings.allowed_ips") ?? "", /^“home” must be/);
  assert.match(messages.get("metadata") ?? "", /line 2/);
  assert.equal(messages.has("expires_at"), false);
});

Deno.test("YAML whose aliases stand for too much, or for themselves, is refused at its field", () => {
  const levels = Array.from({ length: 7 }, (_, n) => {
    const items = Array(9).fill(n === 0 ? "x" : `*a${n - 1}`);
    return `a${n}: &a${n} [${items}]`;
  });
  for (const metadata of [levels.join("\n"), "a: &a\n  b: *a"]) {
    const form = readUserForm([["metadata", metadata]]);
    const errors = userErrors(fieldErrors(userInput, userRecord(form)), form);
    assert.ok(errors.some(({ field }) => field === "metadata"), metadata);
  }
});
