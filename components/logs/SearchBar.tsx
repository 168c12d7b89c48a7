/** What Filter Logs is asked: the stretch of time, the filters that hold, one more to add. */
import { FilterFields } from "@/islands/FilterFields.tsx";
import { Button, ButtonLink } from "../Button.tsx";
import { errorOf, type FieldErrors, fieldId } from "../form_errors.ts";
import { TextField } from "../Field.tsx";
import { Icon } from "../Icon.tsx";
import { fieldNames } from "./field_names.ts";
import { operators, standsAlone } from "./filter_syntax.ts";
import { type AppliedFilter, type LogSearch, readFilterFields } from "./log_search.ts";
import {
  firstPage,
  LOGS_PATH,
  presetUrl,
  withoutFiltersUrl,
  withoutFilterUrl,
} from "./log_urls.ts";
import { fieldTime, presets } from "./time_range.ts";

interface SearchBarProps {
  readonly search: LogSearch;
  readonly errors: FieldErrors;
}

export function SearchBar({ search, errors }: SearchBarProps) {
  return (
    <section class="log-search" aria-label="Which calls">
      <RangeBar search={search} errors={errors} />
      <FilterBar search={search} errors={errors} />
    </section>
  );
}

function RangeBar({ search: { params, range }, errors }: SearchBarProps) {
  const custom = range.preset === null;
  return (
    <div class="log-range">
      <nav class="segments" aria-label="The last">
        {presets.map(({ value, label }) => (
          <a
            key={value}
            href={presetUrl(params, value)}
            aria-current={range.preset === value ? "true" : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <details class="log-custom" open={custom}>
        <summary class="button button-secondary button-small">Custom range</summary>
        <form class="log-fields" method="get" action={LOGS_PATH}>
          <Kept params={params} without={["range", "start_at", "end_at"]} />
          <TextField
            name="start_at"
            label="From (UTC)"
            type="datetime-local"
            step="1"
            value={fieldTime(range.startAt)}
            errors={errors}
            mono
          />
          <TextField
            name="end_at"
            label="To (UTC)"
            type="datetime-local"
            step="1"
            value={fieldTime(range.endAt)}
            errors={errors}
            mono
          />
          <Button>Show</Button>
        </form>
      </details>
    </div>
  );
}

/** What else the search says goes along with a form of its own. */
function Kept({ params, without }: { params: URLSearchParams; without: readonly string[] }) {
  return (
    <>
      {[...firstPage(params)].filter(([name]) => !without.includes(name)).map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

function FilterBar({ search: { params, filters }, errors }: SearchBarProps) {
  const fields = readFilterFields(params);
  const asked = errors.some(({ field = "" }) => field.startsWith("add_"));
  return (
    <div class="log-filters">
      {filters.length > 0 && (
        <ul class="chips" aria-label="Filters">
          {filters.map((filter) => (
            <li key={`${filter.field} ${filter.text}`}>
              <FilterChip filter={filter} params={params} errors={errors} />
            </li>
          ))}
        </ul>
      )}
      {filters.length > 1 && (
        <ButtonLink href={withoutFiltersUrl(params)} look="quiet" small>Remove all</ButtonLink>
      )}
      <details class="log-custom" open={asked}>
        <summary class="button button-secondary button-small">Add a filter</summary>
        <form class="log-fields" method="get" action={LOGS_PATH}>
          <Kept params={params} without={[]} />
          <FilterFields fields={fields} errors={errors} />
          <Button>Add</Button>
        </form>
      </details>
    </div>
  );
}

interface FilterChipProps {
  readonly filter: AppliedFilter;
  readonly params: URLSearchParams;
  readonly errors: FieldErrors;
}

function FilterChip({ filter, params, errors }: FilterChipProps) {
  const { field, operator, value, text } = filter;
  const wrong = errorOf(errors, field) !== undefined;
  return (
    <span class={wrong ? "chip chip-bad" : "chip"} id={fieldId(field)}>
      <span>
        {fieldNames[field]} {operators[operator]}
        {!standsAlone(operator) && (
          <>
            {" "}
            <code>{value}</code>
          </>
        )}
      </span>
      <a href={withoutFilterUrl(params, field, text)} title="Remove this filter">
        <Icon name="close" />
        <span class="visually-hidden">
          {`Remove the filter: ${fieldNames[field]} ${operators[operator]} ${value}`}
        </span>
      </a>
    </span>
  );
}
