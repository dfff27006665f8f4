/** Shorter words match only the beginning of a word: "app" is no part of "WhatsApp". */
const innerLength = 4;

/**
 * Whether a command matches what was typed, as `cmdk` asks: 1 or 0, so that matches keep their order. Each typed word must be the
 * beginning of a word, or a longer one a part of it. Scattered letters do not match.
 */
export function matchCommand(value: string, typed: string, keywords: readonly string[] = []): number {
  const text = ` ${[value, ...keywords].join(' ').toLowerCase()}`;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (word: string) => text.includes(` ${word}`) || (word.length >= innerLength && text.includes(word));
  return words.every(matches) ? 1 : 0;
}
