import { en } from './en.ts';

/** The key of a text. */
export type WordKey = keyof typeof en;

/** All texts of one language. */
export type Words = { readonly [Key in WordKey]: string };

/** Values for the `{name}` placeholders of a text. */
export type WordValues = Readonly<Record<string, string | number>>;

/** Translates a key into the language of the page. */
export type Translate = (key: WordKey, values?: WordValues) => string;

/** Overrides by original English text. */
export type TranslationOverrides = Readonly<Record<string, string>>;

/** Creates the translate function of one language. */
export function createTranslate(words: Words, overrides: TranslationOverrides = {}): Translate {
  assertEnglish(overrides);
  return (key, values = {}) => fill(overrides[en[key]] ?? words[key], values);
}

/** Whether there is a text with this key. */
export function isWordKey(key: string): key is WordKey {
  return Object.hasOwn(en, key);
}

/** Users choose names: a character that changes the text direction would change the rest of the sentence too. */
function fill(sentence: string, values: WordValues): string {
  return sentence.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]).replace(/[\u202a-\u202e\u2066-\u2069]/g, '') : placeholder,
  );
}

function assertEnglish(overrides: TranslationOverrides): void {
  const known = new Set<string>(Object.values(en));
  const unknown = Object.keys(overrides).find(text => !known.has(text));
  if (unknown !== undefined) {
    throw new TypeError(`translationOverrides: there is no text "${unknown}". Use the exact English text as the key.`);
  }
}
