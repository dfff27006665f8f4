import { periodsWith, type SignUpPeriods } from './sign-up-periods.ts';

/** Texts of the search column, of all projects. Each is unique, because it contains an id. */
export interface SearchSample {
  readonly userCount: number;
  readonly texts: readonly string[];
  /** The texts that have three characters in a row. */
  readonly byTrigram: ReadonlyMap<string, readonly string[]>;
  /** Sign-up times in ascending order. The number of users between two neighbours is always the same. */
  readonly signUpTimes: readonly number[];
}

/**
 * How the users of a search are found: by the beginning of their text; in the order of the page, where each user is
 * compared until the page is full; or by trigrams.
 */
export type SearchLookup = 'beginning' | 'in order' | TrigramLookup;

/** The users that contain the trigrams are compared and sorted. */
export interface TrigramLookup {
  readonly trigrams: readonly [string, string, string];
  /** Only the users who signed up in these. They are expected to fill the page; undefined for all users. */
  readonly periods: SignUpPeriods | undefined;
}

/** The page for which users are searched. */
export interface SearchedPage {
  readonly limit: number;
  readonly isDescending: boolean;
  readonly teamId: string | undefined;
}

/** The index of beginnings holds two characters. */
export const beginningLength = 2;

/** Three letters or digits in a row, or two beside the end of a word. */
const anyTrigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

export function hasTrigram(search: string): boolean {
  return anyTrigram.test(search);
}

/** Whether a search in lower case is the whole id of a user. */
export function isUserId(search: string): boolean {
  return userIdPattern.test(search);
}

const userIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A search that the index of trigrams cannot find matches beginnings only. */
export function matchesBeginnings(search: string): boolean {
  return [...search].length <= beginningLength || !hasTrigram(search);
}

// Costs are in the time of finding, comparing and sorting one user by trigrams.
const costInOrder = 0.08;
/** A lookup in periods costs as much before it has found a user. */
const costOfPeriods = 70;
/** The users of a period are next to each other in the table. */
const costInPeriods = 0.3;

/** Periods with as many more matches than a page has leave few pages unfilled. */
const pageMargin = 1.2;

/** The largest share of users that may have the rarest trigram. With more of them the index reads too much. */
const maxShareOfRarest = 0.03;
/** Bounds the work for a long search. */
const maxTrigrams = 100;

/**
 * Chooses the index lookup of a search. A planner would need ten times as long, and a new plan for each search. The index
 * reads the list of each trigram that it looks up, so three rare trigrams are faster than all of them: 2 instead of 20 ms
 * for a long word.
 *
 * @returns undefined where the planner decides: for one character, for frequent trigrams in a rare search, and without
 *   three letters or digits of ASCII in a row, since others are trigrams in some locales only
 */
export function planLookup(search: string, sample: SearchSample, page: SearchedPage): SearchLookup | undefined {
  if (matchesBeginnings(search)) return [...search].length < beginningLength ? undefined : 'beginning';
  const { texts, byTrigram, userCount } = sample;
  const textsWith = (trigram: string) => byTrigram.get(trigram) ?? [];
  const [rarest, ...others] = trigramsOf(search).sort((one, other) => textsWith(one).length - textsWith(other).length);
  if (rarest === undefined || texts.length === 0) return undefined;

  const having = textsWith(rarest);
  const matchCount = having.filter(text => text.includes(search)).length;
  const share = matchCount / texts.length;
  const periods = periodsFilling(page, matchCount, sample);
  const inOrder = (costInOrder * page.limit) / share;
  const ofAll = share * userCount;
  const inPeriods = periods === undefined ? ofAll : costOfPeriods + costInPeriods * ofAll * periods.share;
  if (inOrder <= Math.min(ofAll, inPeriods)) return 'in order';
  if (inPeriods >= ofAll && having.length > maxShareOfRarest * texts.length) return undefined;

  return {
    trigrams: [rarest, ...chooseOthers(others, having, rarest)],
    periods: inPeriods < ofAll ? periods : undefined,
  };
}

/** Trigrams of the same word often occur together, so a further one excludes little unless it is chosen for that. */
function chooseOthers(trigrams: readonly string[], texts: readonly string[], rarest: string): [string, string] {
  const second = mostExcluding(trigrams, texts) ?? rarest;
  const both = texts.filter(text => text.includes(second));
  const third = mostExcluding(
    trigrams.filter(trigram => trigram !== second),
    both,
  );
  return [second, third ?? second];
}

/** The periods at the beginning of the order that are likely to have the matches of a page. */
function periodsFilling({ limit, isDescending, teamId }: SearchedPage, matchCount: number, sample: SearchSample) {
  if (teamId !== undefined) return undefined;
  const { texts, userCount, signUpTimes } = sample;
  // A small sample may have more matches than their share.
  const likelyCount = matchCount + 1 - Math.sqrt(matchCount + 1);
  const share = (pageMargin * limit * texts.length) / (likelyCount * userCount);
  return share < 1 ? periodsWith(share, signUpTimes, isDescending) : undefined;
}

/** The trigram that the fewest of the texts have; of several, the first. */
function mostExcluding(trigrams: readonly string[], texts: readonly string[]): string | undefined {
  const counts = trigrams.map(trigram => texts.filter(text => text.includes(trigram)).length);
  return trigrams[counts.indexOf(Math.min(...counts))];
}

function trigramsOf(search: string): string[] {
  const found = Array.from(search.matchAll(/(?=([a-z0-9]{3}))/g), ([, trigram = '']) => trigram);
  return [...new Set(found)].slice(0, maxTrigrams);
}

/** The texts that have each three characters. */
export function groupByTrigram(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    for (let at = 0; at < text.length - 2; at++) {
      const trigram = text.slice(at, at + 3);
      const group = groups.get(trigram);
      if (group === undefined) groups.set(trigram, [text]);
      else if (group.at(-1) !== text) group.push(text);
    }
  }
  return groups;
}
