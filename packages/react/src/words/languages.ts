import { en } from './en.ts';
import type { Words } from './words.ts';

/** Languages by tag. To add one: a file beside `de.ts`, and a row here. English is bundled, others are loaded. */
export const languages = {
  en: { words: en, direction: 'ltr' },
  de: { load: () => import('./de.ts').then(module => module.de), direction: 'ltr' },
} satisfies Record<string, Language>;

/** A language of the pages. */
export type Language = { direction: 'ltr' | 'rtl' } & ({ words: Words } | { load: () => Promise<Words> });

/** Tag of a language of the pages. */
export type LanguageTag = keyof typeof languages;

/** The closest language for a tag as browsers write it (`de-CH`, `pt_BR`), else English. */
export function closestLanguage(tag: string | undefined): LanguageTag {
  const [language = ''] = (tag ?? '').toLowerCase().split(/[-_]/);
  return Object.hasOwn(languages, language) ? (language as LanguageTag) : 'en';
}
