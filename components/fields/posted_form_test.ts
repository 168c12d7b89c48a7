import assert from "node:assert/strict";
import type { FormEdits } from "./form_edits.ts";
import { readPostedForm } from "./posted_form.ts";
import { addRow, placeAfterAction, readAction, rowsAfter } from "./row_actions.ts";

/** A form that is a list of names. */
const edits: FormEdits<readonly string[]> = {
  read: (entries) =>
    [...entries].filter(([name]) => name.startsWith("names[")).map(([, value]) => String(value)),
  withRowAction: (form, action) => {
    const read = readAction(action);
    return read === null ? null : rowsAfter(form, "", read);
  },
  placeAfter: (form, action) => {
    const read = readAction(action);
    return read === null ? "" : placeAfterAction(read, form.length, null);
  },
  withFirstRows: (form) => form,
  withoutBlankRows: (form) => form.filter((name) => name !== ""),
  identity: (form) => form.join(),
};

Deno.test("a button of a list asks for the form with other rows, unsaved", () => {
  const posted = readPostedForm({ "names[0]": "a", version: "3", _action: addRow("names") }, edits);
  assert.deepEqual(posted, {
    wants: "rows",
    shown: { form: ["a", ""], errors: [], focus: "names[1]", unsaved: true },
  });
});

Deno.test("any other post asks to save what was filled in, over the version that was seen", () => {
  const fields = { "names[0]": "a", "names[1]": "" };
  for (
    const [version, seen] of [["3", 3], ["", undefined], ["-1", undefined], ["3e1", undefined]]
  ) {
    const posted = readPostedForm({ ...fields, version: String(version) }, edits);
    assert.deepEqual(posted, { wants: "save", form: ["a"], version: seen });
  }
  assert.deepEqual(readPostedForm({ ...fields, _action: "publish" }, edits).wants, "save");
});
