/** Texts of the search column, of all projects. Each is unique, because it contains an id. */
export interface SearchSample {
  readonly userCount: number;
  readonly texts: readonly string[];
  /** The texts that have three characters in a row. */
  readonly byTrigram: ReadonlyMap<string, readonly string[]>;
}

/**
 * How the users of a search are found: by the beginning of their text; in the order of the page, where each user is
 * compared until the page is full; or by trigrams, where all users that contain these are compared and sorted.
 */
export type SearchLookup = 'beginning' | 'in order' | readonly [string, string, string];

/** The index of beginnings holds two characters. */
export const beginningLength = 2;

/** Three letters or digits in a row, or two beside the end of a word. */
const anyTrigram = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

export function hasTrigram(search: string): boolean {
  return anyTrigram.test(search);
}

/** A search that the index of trigrams cannot find matches beginnings only. */
export function matchesBeginnings(search: string): boolean {
  return [...search].length <= beginningLength || !hasTrigram(search);
}

/** Comparing a user in order takes this share of the time of finding, comparing and sorting one by trigrams. */
const costInOrder = 0.08;
/** With trigrams that more users have, the index reads too much. */
const maxShareOfRarest = 0.03;
/** Bounds the work for a long search. */
const maxTrigrams = 100;

/**
 * Decides what a planner could, in a tenth of its time, so that the statements keep their plans. The index reads the list
 * of each trigram that it looks up, so three rare ones are faster than all: 2 instead of 20 ms for a long word.
 *
 * @param limit the length of the page
 * @returns undefined where the planner decides: for one character, for frequent trigrams in a rare search, and without
 *   three letters or digits of ASCII in a row, since others are trigrams in some locales only
 */
export function planLookup(search: string, sample: SearchSample, limit: number): SearchLookup | undefined {
  if (matchesBeginnings(search)) return [...search].length < beginningLength ? undefined : 'beginning';
  const { texts, byTrigram, userCount } = sample;
  const textsWith = (trigram: string) => byTrigram.get(trigram) ?? [];
  const [rarest, ...others] = trigramsOf(search).sort((one, other) => textsWith(one).length - textsWith(other).length);
  if (rarest === undefined || texts.length === 0) return undefined;

  const having = textsWith(rarest);
  const matching = having.filter(text => text.includes(search));
  if (fillsPage(matching.length / texts.length, { userCount, limit })) return 'in order';
  if (having.length > maxShareOfRarest * texts.length) return undefined;

  // Trigrams of the same word often occur together, so a further one excludes little unless it is chosen for that.
  const second = mostExcluding(others, having) ?? rarest;
  const both = having.filter(text => text.includes(second));
  const third = mostExcluding(
    others.filter(trigram => trigram !== second),
    both,
  );
  return [rarest, second, third ?? second];
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

/** Whether a page of matches is read in order before the index would have found all matches. */
function fillsPage(share: number, { userCount, limit }: { userCount: number; limit: number }): boolean {
  return share ** 2 * userCount >= costInOrder * limit;
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
