/**
 * All that is wrong with a form, above it, each line a link to its field. An
 * error that belongs to no field stands there as text.
 */
import { errorAlone, errorSentence, type FieldErrors, fieldId } from "./form_errors.ts";
import { Notice } from "./Notice.tsx";

interface ErrorSummaryProps {
  readonly errors: FieldErrors;
  /** What the fields are called on this page, by their path. */
  readonly labels: (field: string) => string;
}

export function ErrorSummary({ errors, labels }: ErrorSummaryProps) {
  const [first, ...others] = errors;
  if (first === undefined) return null;
  if (first.field === undefined && others.length === 0) {
    return <Notice tone="bad">{errorSentence(first.message, "This")}</Notice>;
  }
  return (
    <div class="error-summary" role="alert" tabIndex={-1}>
      <h2>
        {errors.length === 1 ? "One thing to put right" : `${errors.length} things to put right`}
      </h2>
      <ul>
        {errors.map(({ field, message }) => (
          <li key={`${field} ${message}`}>
            {field === undefined
              ? errorSentence(message, "This")
              : <a href={`#${fieldId(field)}`}>{errorAlone(message, labels(field))}</a>}
          </li>
        ))}
      </ul>
    </div>
  );
}
