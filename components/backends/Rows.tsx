/**
 * A list of rows in a form: each with a button that removes it, and below them one
 * that adds one. The buttons send the form along, so they work without script.
 */
import type { ComponentChildren } from "preact";
import { Button } from "../Button.tsx";
import { errorOf, errorSentence, fieldId } from "../form_errors.ts";
import { Icon } from "../Icon.tsx";
import { fieldLabel } from "./field_labels.ts";
import { addRow, removeRow, type RowList } from "./form_rows.ts";
import type { FormView } from "./form_view.ts";

interface RowsProps<Row> {
  readonly view: FormView;
  readonly list: RowList;
  readonly rows: readonly Row[];
  /** What one row is called: "server". */
  readonly noun: string;
  /** A list that must not become empty keeps its last row. */
  readonly atLeastOne?: boolean;
  /** For the fields of a row; `path` is the row's: `servers[0]`. */
  readonly children: (row: Row, path: string) => ComponentChildren;
}

export function Rows<Row>(
  { view, list, rows, noun, atLeastOne = false, children }: RowsProps<Row>,
) {
  const removable = !atLeastOne || rows.length > 1;
  return (
    <div class="rows" id={fieldId(list)} tabIndex={-1}>
      {rows.map((row, index) => (
        <fieldset key={index} class={removable ? "form-row form-row-removable" : "form-row"}>
          <legend class="visually-hidden">{`${noun} ${index + 1}`}</legend>
          {children(row, `${list}[${index}]`)}
          {removable && (
            <RowButton view={view} action={removeRow(list, index)}>
              Remove<span class="visually-hidden">{` ${noun} ${index + 1}`}</span>
            </RowButton>
          )}
        </fieldset>
      ))}
      <ListError view={view} list={list} />
      <div>
        <RowButton view={view} action={addRow(list)}>Add a {noun}</RowButton>
      </div>
    </div>
  );
}

interface RowButtonProps {
  readonly view: FormView;
  readonly action: string;
  readonly children: ComponentChildren;
}

function RowButton({ view, action, children }: RowButtonProps) {
  return (
    <Button
      small
      name="_action"
      value={action}
      onClick={(event) => {
        event.preventDefault();
        view.onRowAction(action);
      }}
    >
      {children}
    </Button>
  );
}

function ListError({ view, list }: { view: FormView; list: RowList }) {
  const message = errorOf(view.errors, list);
  if (message === undefined) return null;
  return (
    <p class="field-error">
      <Icon name="alert" />
      {errorSentence(message, fieldLabel(list))}
    </p>
  );
}
