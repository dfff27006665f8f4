/** 0 empty, 1 weak, 2 fair, 3 good, 4 strong. */
type PasswordLevel = 0 | 1 | 2 | 3 | 4;

/** Common passwords, in the letters that `plain` leaves, longer words first. */
const commonWords = (
  'password passwort football baseball princess sunshine superman starwars whatever iloveyou trustno1 ' +
  'welcome letmein charlie michael freedom abc12e monkey dragon master shadow secret summer winter hunter ' +
  'qwertz azerty qwerty spring autumn admin hello login pass love test user'
).split(' ');

const keyboardRows = ['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm'];

const lookAlikes: Record<string, string> = { '@': 'a', '4': 'a', '3': 'e', '0': 'o', $: 's', '5': 's' };

const commonWordBits = 9;
const knownWordBits = 3;
const yearBits = 7;
const continuedBits = 1;

/** The number of bits at which a password reaches a level. Ten billion guesses are 33 bits. */
const levelBits = { fair: 30, good: 50, strong: 70 };

/**
 * Estimates how hard a password is to guess, in bits. Letters that continue a run (aaa, abc, 321, qwert), common words
 * and `knownWords` (address, name, product) count little. The result is a hint only: the server decides which passwords
 * it accepts.
 */
function passwordStrength(
  password: string,
  knownWords: readonly string[] = [],
): { bits: number; level: PasswordLevel } {
  const bits = Math.round(estimateBits([...password], guessableWords(knownWords)));
  return { bits, level: levelOf(password, bits) };
}

type GuessableWord = { text: string; bits: number };

function guessableWords(knownWords: readonly string[]): GuessableWord[] {
  const known = knownWords.flatMap(words => words.split(/[^\p{L}\p{N}]+/u)).filter(word => word.length >= 3);
  return [
    ...known.map(word => ({ text: plain(word), bits: knownWordBits })),
    ...commonWords.map(text => ({ text, bits: commonWordBits })),
  ];
}

function estimateBits(characters: readonly string[], words: readonly GuessableWord[]): number {
  const perCharacter = Math.log2(alphabetSize(characters.join('')));
  const letters = characters.map(plain);

  let bits = 0;
  let position = 0;
  while (position < characters.length) {
    const rest = letters.slice(position).join('');
    const word = words.find(({ text }) => rest.startsWith(text)) ?? yearAt(characters.slice(position, position + 4));
    if (word) {
      bits += Math.min(word.bits, word.text.length * perCharacter);
      position += [...word.text].length;
    } else {
      bits += continuesRun(characters[position - 1], characters[position]) ? continuedBits : perCharacter;
      position += 1;
    }
  }
  return bits;
}

/** A year of the previous or this century, a common ending of passwords. */
function yearAt(characters: readonly string[]): GuessableWord | undefined {
  const text = characters.join('');
  return /^(?:19|20)\d\d$/.test(text) ? { text, bits: yearBits } : undefined;
}

function levelOf(password: string, bits: number): PasswordLevel {
  if (password === '') return 0;
  if (bits < levelBits.fair) return 1;
  if (bits < levelBits.good) return 2;
  return bits < levelBits.strong ? 3 : 4;
}

/** How many characters an attacker must try per position, by the kinds of characters that occur. */
function alphabetSize(password: string): number {
  const kinds: [RegExp, number][] = [
    [/[a-z]/, 26],
    [/[A-Z]/, 26],
    [/\d/, 10],
    [/[ -/:-@[-`{-~]/, 33],
    [/[^ -~]/, 100],
  ];
  return kinds.reduce((size, [kind, count]) => size + (kind.test(password) ? count : 0), 1);
}

/** Lower case, with look-alike characters replaced by their letters. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[@430$5]/g, sign => lookAlikes[sign] ?? sign);
}

/** Whether a character repeats, continues, or is next to the one before it on the keyboard. */
function continuesRun(before = '', here = ''): boolean {
  const pair = (before + here).toLowerCase();
  if (!/^[\p{L}\p{N}]{2}$/u.test(pair)) return before !== '' && before === here;

  const [one = 0, other = 0] = [...pair].map(letter => letter.codePointAt(0));
  if (Math.abs(one - other) <= 1) return true;
  return keyboardRows.some(row => row.includes(pair) || row.includes(`${pair[1]}${pair[0]}`));
}

export { type PasswordLevel, passwordStrength };
