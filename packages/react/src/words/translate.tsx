import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { TesseraContext } from '../app/context.ts';
import { closestLanguage, type Language, type LanguageTag, languages } from './languages.ts';
import { createTranslate, type Translate, type Words } from './words.ts';

interface PageLanguage {
  readonly translate: Translate;
  /** For dates and numbers: the language with the region that was asked for. */
  readonly locale: string;
  /** For the `lang` and `dir` attributes of what is said; undefined where the page already says so. */
  readonly attributes: { lang?: string; dir?: 'ltr' | 'rtl' };
}

const LanguageContext = createContext<PageLanguage | undefined>(undefined);

/** Gives the words to all components below it. Suspends while a language is loaded. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const { lang, translationOverrides } = useContext(TesseraContext) ?? {};
  const tag = closestLanguage(lang ?? documentLanguage());
  const words = readWords(tag);

  const language = useMemo(
    () => ({
      translate: createTranslate(words, translationOverrides),
      locale: localeOf(tag, lang ?? documentLanguage()),
      attributes: attributesOf(tag, lang),
    }),
    [words, translationOverrides, tag, lang],
  );
  return <LanguageContext.Provider value={language}>{children}</LanguageContext.Provider>;
}

/** The words of the surrounding page, and the attributes of the element that they stand in. */
export function useLanguage(): PageLanguage {
  const language = useContext(LanguageContext);
  if (language === undefined) throw new TypeError('A component that speaks stands outside of a Surface.');
  return language;
}

/** The function that says sentences in the language of the surrounding page. */
export function useTranslate(): Translate {
  return useLanguage().translate;
}

/** A German page in Austria writes dates as Austrians do; one in a language that we do not speak, as English does. */
function localeOf(tag: LanguageTag, asked: string): string {
  const locale = asked.replaceAll('_', '-');
  const isSpoken = locale.toLowerCase() === tag || locale.toLowerCase().startsWith(`${tag}-`);
  return isSpoken && Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0 ? locale : tag;
}

function documentLanguage(): string {
  return typeof document === 'undefined' ? '' : document.documentElement.lang;
}

/** Where the page does not say so itself, the element says which language it speaks. */
function attributesOf(tag: LanguageTag, asked: string | undefined): PageLanguage['attributes'] {
  const isLanguageOfPage = asked === undefined && documentLanguage().toLowerCase().startsWith(tag);
  return isLanguageOfPage ? {} : { lang: tag, dir: languages[tag].direction };
}

const loaded = new Map<LanguageTag, Words>();
const loading = new Map<LanguageTag, Promise<void>>();

function readWords(tag: LanguageTag): Words {
  const language: Language = languages[tag];
  if ('words' in language) return language.words;
  const words = loaded.get(tag);
  if (words !== undefined) return words;
  throw loadOnce(tag, language.load);
}

/** A language that cannot be loaded leaves the pages in English, which is better than no page. */
function loadOnce(tag: LanguageTag, load: () => Promise<Words>): Promise<void> {
  const pending =
    loading.get(tag) ??
    load()
      .catch(() => languages.en.words)
      .then(words => void loaded.set(tag, words));
  loading.set(tag, pending);
  return pending;
}
