import { words as templateWords } from '../templates/words.ts';
import { words } from '../words.ts';

const known: Readonly<Record<string, string>> = { ...templateWords.type, ...words.kind };

/** The kind of an email in words. That of a notice is its id: `password_changed` is "Password changed". */
export function emailKind(template: string): string {
  if (Object.hasOwn(known, template)) return known[template] ?? template;
  const text = template.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
