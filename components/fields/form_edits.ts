/** What a form with lists says of itself, to the page that shows it and to whoever reads a post. */
export interface FormEdits<Form> {
  /** The form from its fields, as they were posted or as they stand in the page. */
  readonly read: (entries: Iterable<readonly [string, unknown]>) => Form;
  /** The form after what `_action` asks for; null when it is no such request. */
  readonly withRowAction: (form: Form, action: string) => Form | null;
  /** The path to go on at after `action`. */
  readonly placeAfter: (form: Form, action: string) => string;
  /** With a row to fill in for each list that begins with one. */
  readonly withFirstRows: (form: Form) => Form;
  /** Without the rows that nobody filled in. */
  readonly withoutBlankRows: (form: Form) => Form;
  /** What tells a form from another: forms of equal identity say the same. */
  readonly identity: (form: Form) => string;
}
