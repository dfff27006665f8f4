import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { TesseraContext } from '../app/context.ts';
import { closestLanguage, type Language, type LanguageTag, languages } from './languages.ts';
import { createTranslate, type Translate, type Words } from './words.ts';

interface PageLanguage {
  readonly translate: Translate;
  /** For dates and numbers: the language with the requested region. */
  readonly locale: string;
  /** The `lang` and `dir` attributes of our elements; undefined when the page already has them. */
  readonly attributes: { lang?: string; dir?: 'ltr' | 'rtl' };
}

/** The language of our element around a component; undefined outside of our elements. */
export const LanguageContext = createContext<PageLanguage | undefined>(undefined);

interface LanguageProviderProps {
  /** Renders the element that has the attributes of the language. */
  children: (attributes: PageLanguage['attributes']) => ReactNode;
}

/** Provides the texts to all components below it. Suspends while a language loads. */
export function LanguageProvider({ children }: LanguageProviderProps) {
  const language = useAskedLanguage();
  return <LanguageContext.Provider value={language}>{children(language.attributes)}</LanguageContext.Provider>;
}

/** The language that `TesseraProvider` asks for, also outside of our pages. Suspends while it loads. */
export function useAskedLanguage(): PageLanguage {
  const { lang, translationOverrides } = useContext(TesseraContext) ?? {};
  const tag = closestLanguage(lang ?? documentLanguage());
  const words = readWords(tag);

  return useMemo(
    () => ({
      translate: createTranslate(words, translationOverrides),
      locale: localeOf(tag, lang ?? documentLanguage()),
      attributes: attributesOf(tag, lang),
    }),
    [words, translationOverrides, tag, lang],
  );
}

/** The language of the page, and the attributes of our elements. */
export function useLanguage(): PageLanguage {
  const language = useContext(LanguageContext);
  if (language === undefined) throw new TypeError('useLanguage was called outside of a Surface.');
  return language;
}

/** The function that translates a key into the language of the page. */
export function useTranslate(): Translate {
  return useLanguage().translate;
}

/** A German page in Austria has Austrian dates. A language without texts has English dates. */
function localeOf(tag: LanguageTag, asked: string): string {
  const locale = asked.replaceAll('_', '-');
  const isSpoken = locale.toLowerCase() === tag || locale.toLowerCase().startsWith(`${tag}-`);
  return isSpoken && Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0 ? locale : tag;
}

function documentLanguage(): string {
  return typeof document === 'undefined' ? '' : document.documentElement.lang;
}

/** The element declares its language when the page does not. */
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

/** A language that cannot be loaded falls back to English. */
function loadOnce(tag: LanguageTag, load: () => Promise<Words>): Promise<void> {
  const pending =
    loading.get(tag) ??
    load()
      .catch(() => languages.en.words)
      .then(words => void loaded.set(tag, words));
  loading.set(tag, pending);
  return pending;
}
