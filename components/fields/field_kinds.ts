/**
 * The kinds of fields that forms have. A table of fields says of each what it is called,
 * what it is for and which kind it is; how a kind is read, shown, told and turned into a
 * record stands once, beside this file.
 */
import type { RowKindName } from "./row_kinds.ts";
import { decapitalized } from "./wording.ts";

export interface Choice {
  /** As a form sends it, and as it is stored. */
  readonly value: string;
  readonly label: string;
  /** In the summary of its section: "key not required". */
  readonly brief: string;
}

interface Described {
  readonly label: string;
  /** One sentence for a person who runs an API. */
  readonly help: string;
  /** What holds where nobody sets it, in words. */
  readonly builtIn: string;
  /** In the summary of its section, where it is set. */
  readonly brief: string;
  /** It matters only while this other field has this value. */
  readonly onlyWhile: readonly [name: string, value: string] | null;
  /** A backend as a whole has no such setting. */
  readonly subUrlOnly: boolean;
}

/** One of a few words. */
export interface ChoiceField extends Described {
  readonly control: "choice";
  readonly choices: readonly Choice[];
  /** The words stand for true and false. */
  readonly yesNo: boolean;
  /** Whether it may be left to what holds above; else nothing set is the first choice. */
  readonly inherits: boolean;
}

export interface TextField extends Described {
  readonly control: "text";
  readonly maxLength: number;
}

/** A text that is not to be read over somebody's shoulder. */
export interface SecretField extends Described {
  readonly control: "secret";
  readonly maxLength: number;
}

export interface NumberField extends Described {
  readonly control: "number";
  /** Null for a mere count. */
  readonly unit: "seconds" | "bytes" | null;
}

/** Several texts or numbers, one a line. */
export interface LinesField extends Described {
  readonly control: "lines";
  /** What one of them is called: "Required role". */
  readonly item: string;
  /** Whether commas part them as well, because none of them can hold one. */
  readonly commas: boolean;
  /** Numbers stand in one line, parted by commas. */
  readonly numbers: boolean;
}

/** Several lines that are one text. */
export interface BlockField extends Described {
  readonly control: "block";
}

/** A text of YAML that stands for a record. */
export interface YamlField extends Described {
  readonly control: "yaml";
}

/** A list of rows, each of several fields. */
export interface RowsField<Kind extends RowKindName = RowKindName> extends Described {
  readonly control: "rows";
  readonly kind: Kind;
  /** What one of them is called: "Request header". */
  readonly item: string;
}

/** What Portico noted itself: shown, not edited. */
export interface FactField extends Described {
  readonly control: "fact";
}

export type Field =
  | ChoiceField
  | TextField
  | SecretField
  | NumberField
  | LinesField
  | BlockField
  | YamlField
  | RowsField
  | FactField;

/** Fields by their path in the record: `body_max_bytes`, `error_templates.json`. */
export type FieldTable = Readonly<Record<string, Field>>;

type Words = Pick<Described, "label" | "help"> & Partial<Described>;

function described({ brief, ...words }: Words, builtIn: string): Described {
  return {
    builtIn,
    brief: brief ?? decapitalized(words.label),
    onlyWhile: null,
    subUrlOnly: false,
    ...words,
  };
}

type ChoiceWords = readonly (readonly [value: string, label: string, brief: string])[];

function choiceField(
  { inherits = true, ...words }: Words & { inherits?: boolean },
  yesNo: boolean,
  choiceWords: ChoiceWords,
): ChoiceField {
  const choices = choiceWords.map(([value, label, brief]) => ({ value, label, brief }));
  return { ...described(words, ""), control: "choice", choices, yesNo, inherits };
}

/** One of a few words; the built-in one is named in `words`. */
export function choice(
  words: Words & { readonly builtIn: string },
  ...choices: ChoiceWords
): ChoiceField {
  return choiceField(words, false, choices);
}

/** Yes or no, in words. */
export function yesNo(
  words: Words & { readonly builtIn: string; readonly inherits?: boolean },
  ...choices: ChoiceWords
): ChoiceField {
  return choiceField(words, true, choices);
}

export function text(words: Words & { readonly maxLength: number }): TextField {
  return { ...described(words, "none"), control: "text", maxLength: words.maxLength };
}

export function secret(words: Words & { readonly maxLength: number }): SecretField {
  return { ...described(words, "none"), control: "secret", maxLength: words.maxLength };
}

export function number(words: Words & Partial<Pick<NumberField, "unit">>): NumberField {
  return { ...described(words, "no limit"), control: "number", unit: words.unit ?? null };
}

export function lines(
  words: Words & Pick<LinesField, "item"> & Partial<Pick<LinesField, "commas" | "numbers">>,
): LinesField {
  const { item, commas = true, numbers = false } = words;
  return { ...described(words, "any"), control: "lines", item, commas, numbers };
}

/** What stands between the items that a field is filled in with. */
export function jointOf({ numbers }: LinesField): string {
  return numbers ? ", " : "\n";
}

export function block(words: Words & { readonly builtIn: string }): BlockField {
  return { ...described(words, ""), control: "block" };
}

export function yaml(words: Words): YamlField {
  return { ...described(words, "the built-in texts"), control: "yaml" };
}

export function rows<Kind extends RowKindName>(
  words: Words & { readonly kind: Kind; readonly item: string },
): RowsField<Kind> {
  const { kind, item } = words;
  return { ...described(words, "none"), control: "rows", kind, item };
}

export function fact(words: Words): FactField {
  return { ...described(words, ""), control: "fact" };
}
