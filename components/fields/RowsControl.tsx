/** A setting that is a list of rows: headers, rate limits, quotas. */
import { Checkbox, SelectField, TextField } from "../Field.tsx";
import { fieldId } from "../form_errors.ts";
import type { RowsField } from "./field_kinds.ts";
import { fieldProps, type FieldView } from "./field_view.ts";
import { durationUnits, type RowFields, rowKind, type RowKindName } from "./row_kinds.ts";
import { Rows } from "./Rows.tsx";

interface RowsControlProps {
  readonly view: FieldView;
  readonly path: string;
  readonly field: RowsField;
  readonly rows: readonly RowFields[];
  /** Item by item, what holds while there are no rows. */
  readonly inherited: readonly string[];
}

export function RowsControl({ view, path, field, rows, inherited }: RowsControlProps) {
  const title = `${fieldId(path)}-title`;
  return (
    <div class="wide stack" role="group" aria-labelledby={title}>
      <div>
        <p class="field-label" id={title}>{field.label}</p>
        <p class="field-help">{field.help}</p>
      </div>
      {rows.length === 0 && <InheritedRows items={inherited} />}
      <Rows view={view} list={path} rows={rows} noun={rowKind(field.kind).noun}>
        {(row, rowPath) => rowControls[field.kind]({ view, path: rowPath, row })}
      </Rows>
    </div>
  );
}

/** What holds while there are no rows. */
export function InheritedRows({ items }: { items: readonly string[] }) {
  if (items.length <= 1) return <p class="muted small">{`${items[0] ?? "none"} (inherited)`}</p>;
  return (
    <div class="inherited-rows">
      <p class="muted small">Inherited:</p>
      <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>
    </div>
  );
}

interface RowProps {
  readonly view: FieldView;
  readonly path: string;
  readonly row: RowFields;
}

const rowControls: Record<RowKindName, (props: RowProps) => preact.JSX.Element> = {
  header: ({ view, path, row }) => (
    <>
      <Column view={view} path={path} row={row} kind="header" name="key" placeholder="X-Source" />
      <Column view={view} path={path} row={row} kind="header" name="value" />
    </>
  ),
  limit: ({ view, path, row }) => (
    <>
      <Column view={view} path={path} row={row} kind="limit" name="limit" placeholder="1000" />
      <Column view={view} path={path} row={row} kind="limit" name="duration" />
      <SelectField
        {...fieldProps(view, `${path}.unit`, row.unit ?? "")}
        label={rowKind("limit").columns.unit?.label ?? ""}
        options={row.unit === "1"
          ? [...durationUnits, { value: "1", label: "milliseconds" }]
          : durationUnits}
      />
      <Column view={view} path={path} row={row} kind="limit" name="limit_by" />
      <Checkbox
        name={`${path}.response_headers`}
        label="Tell callers in response headers"
        checked={row.response_headers === "true"}
        errors={view.errors}
      />
    </>
  ),
  quota: ({ view, path, row }) => (
    <>
      <Column view={view} path={path} row={row} kind="quota" name="limit" placeholder="100000" />
      <Column view={view} path={path} row={row} kind="quota" name="period" />
      <Column view={view} path={path} row={row} kind="quota" name="limit_by" />
    </>
  ),
};

interface ColumnProps extends RowProps {
  readonly kind: RowKindName;
  readonly name: string;
  readonly placeholder?: string;
}

/** A field of a row as the table of columns has it. */
function Column({ view, path, row, kind, name, placeholder }: ColumnProps) {
  const { label = name, choices } = rowKind(kind).columns[name] ?? {};
  const props = { ...fieldProps(view, `${path}.${name}`, row[name] ?? ""), label };
  if (choices !== undefined) return <SelectField {...props} options={choices} />;
  return (
    <TextField
      {...props}
      mono
      {...(placeholder !== undefined && { placeholder })}
      {...(kind !== "header" && { inputMode: "numeric" as const })}
    />
  );
}
