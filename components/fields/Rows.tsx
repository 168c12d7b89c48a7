/**
 * A list of rows in a form: each with buttons that remove and move it, and below them one
 * that adds one. The buttons send the form along, so they work without script.
 */
import type { ComponentChildren } from "preact";
import { addRow, onRow, type RowVerb } from "./row_actions.ts";
import { Button } from "../Button.tsx";
import { errorOf, errorSentence, fieldId } from "../form_errors.ts";
import { Icon } from "../Icon.tsx";
import type { FieldView } from "./field_view.ts";

interface RowsProps<Row> {
  readonly view: FieldView;
  /** The list's path: `settings.headers`. */
  readonly list: string;
  readonly rows: readonly Row[];
  /** What one row is called: "server". */
  readonly noun: string;
  /** A list that must not become empty keeps its last row. */
  readonly atLeastOne?: boolean;
  /** Whether their order means something. */
  readonly ordered?: boolean;
  /** For the fields of a row; `path` is the row's: `servers[0]`. */
  readonly children: (row: Row, path: string) => ComponentChildren;
}

export function Rows<Row>(props: RowsProps<Row>) {
  const { view, list, rows, noun, atLeastOne = false, ordered = false, children } = props;
  const removable = !atLeastOne || rows.length > 1;
  return (
    <div class="rows" id={fieldId(list)} tabIndex={-1}>
      {rows.map((row, index) => (
        <fieldset key={index} class={removable ? "form-row form-row-removable" : "form-row"}>
          <legend class="visually-hidden">{`${noun} ${index + 1}`}</legend>
          {children(row, `${list}[${index}]`)}
          {removable && (
            <RowButtons
              view={view}
              list={list}
              index={index}
              count={rows.length}
              noun={noun}
              ordered={ordered}
            />
          )}
        </fieldset>
      ))}
      <ListError view={view} list={list} />
      <AddButton view={view} list={list} noun={noun} />
    </div>
  );
}

interface RowButtonsProps {
  readonly view: FieldView;
  readonly list: string;
  readonly index: number;
  readonly count: number;
  readonly noun: string;
  readonly ordered: boolean;
}

/** Moves and removes one row. */
export function RowButtons({ view, list, index, count, noun, ordered }: RowButtonsProps) {
  const row = `${list}[${index}]`;
  const which = <span class="visually-hidden">{` ${noun} ${index + 1}`}</span>;
  return (
    <div class="row-buttons">
      {ordered && count > 1 && (
        <>
          <RowButton view={view} row={row} verb="up" disabled={index === 0}>
            <span aria-hidden="true">↑</span>
            <span class="visually-hidden">Move up</span>
            {which}
          </RowButton>
          <RowButton view={view} row={row} verb="down" disabled={index === count - 1}>
            <span aria-hidden="true">↓</span>
            <span class="visually-hidden">Move down</span>
            {which}
          </RowButton>
        </>
      )}
      <RowButton view={view} row={row} verb="remove">Remove{which}</RowButton>
    </div>
  );
}

interface RowButtonProps {
  readonly view: FieldView;
  readonly row: string;
  readonly verb: RowVerb;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

function RowButton({ view, row, verb, disabled = false, children }: RowButtonProps) {
  const place = `${row}.${verb}`;
  return (
    <Button
      small
      id={fieldId(place)}
      disabled={disabled}
      autofocus={view.focus === place}
      {...actionProps(view, onRow(verb, row))}
    >
      {children}
    </Button>
  );
}

export function AddButton({ view, list, noun }: { view: FieldView; list: string; noun: string }) {
  return (
    <div>
      <Button small {...actionProps(view, addRow(list))}>Add a {noun}</Button>
    </div>
  );
}

/** What makes a button ask for `action`, with a round trip or without. */
export function actionProps(view: FieldView, action: string) {
  return {
    name: "_action",
    value: action,
    onClick: (event: Event) => {
      event.preventDefault();
      view.onRowAction(action);
    },
  };
}

export function ListError({ view, list }: { view: FieldView; list: string }) {
  const message = errorOf(view.errors, list);
  if (message === undefined) return null;
  return (
    <p class="field-error">
      <Icon name="alert" />
      {errorSentence(message, view.labelOf(list))}
    </p>
  );
}
