import { en } from './en.ts';

/** The name of a sentence. */
export type WordKey = keyof typeof en;

/** All sentences of one language. */
export type Words = { readonly [Key in WordKey]: string };

/** Values for the `{name}`s of a sentence. */
export type WordValues = Readonly<Record<string, string | number>>;

/** Says a sentence in the language of the page. */
export type Translate = (key: WordKey, values?: WordValues) => string;

/** Replacements by original English text. */
export type TranslationOverrides = Readonly<Record<string, string>>;

/** Makes the function that says sentences of one language. */
export function createTranslate(words: Words, overrides: TranslationOverrides = {}): Translate {
  assertEnglish(overrides);
  return (key, values = {}) => fill(overrides[en[key]] ?? words[key], values);
}

/** Whether there is a sentence of that name. */
export function isWordKey(key: string): key is WordKey {
  return Object.hasOwn(en, key);
}

function fill(sentence: string, values: WordValues): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
}

function assertEnglish(overrides: TranslationOverrides): void {
  const known = new Set<string>(Object.values(en));
  const unknown = Object.keys(overrides).find(text => !known.has(text));
  if (unknown !== undefined) {
    throw new TypeError(`translationOverrides: no page says "${unknown}". Use the exact English text as the key.`);
  }
}
