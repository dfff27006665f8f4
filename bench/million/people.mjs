/**
 * Realistic users: common names are common, most last names are rare, most addresses are at a few big
 * providers and the rest at work. The same numbers produce the same users on every machine.
 */

const firstNames =
  'James Mary Michael Anna Maria David Sarah Thomas Laura Daniel Emma Peter Julia Martin Sophie Paul Lisa Andreas Eva Mark Nina Jan Clara Lukas Hannah Felix Marie Simon Lena Max Ella Ben Mia Noah Amelia Oliver Olivia Liam Ava Ethan Chloe Lucas Zoe Hugo Alice Jules Léa Louis Inès Mateo Lucía Diego Carmen Pablo Sofía Bruno Beatriz João Inês Tiago Giulia Marco Chiara Luca Elena Piotr Agnieszka Jakub Zofia Ivan Olga Dmitri Irina Yuki Haruto Sakura Kenji Wei Li Ming Jing Raj Priya Arjun Ananya Omar Fatima Ali Layla Yusuf Aisha Kwame Ama Chidi Ngozi Søren Ingrid Lars Astrid Björn Freya Mikko Aino'.split(
    ' ',
  );
const commonLastNames =
  'Smith Müller Johnson García Brown Martin Silva Schmidt Jones Rossi Williams Kowalski Nguyen Lee Wang Khan Ivanov Dubois Andersson Tanaka Fischer Lopez Weber Moore Novak Hansen Santos Singh Kim Popov Taylor Bianchi Moreau Okafor Haddad Virtanen Jensen Costa Meyer Wilson'.split(
    ' ',
  );
const syllables =
  'bar bel cor dan der fen gar hal hol jor kar kes lan lor mar mel nor ost pel quin rad ros sel stan tor ulm van ver wex yar zel'.split(
    ' ',
  );
const endings = ['son', 'ski', 'berg', 'ton', 'ini', 'ez', 'ov', 'wick', 'mann', 'sen'];
const providers = ['gmail.com', 'gmail.com', 'gmail.com', 'gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com'];

/** How finely sign-up times differ. */
const tickMs = 300_000;

/** mulberry32: uniformly distributed numbers in [0, 1). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @typedef {{ id: string, channelId: string, displayName: string | null, address: string | null, signedUpAtMillis: number }} Person
 */

/** @param {{ count: number, firstMillis: number, lastMillis: number }} crowd @returns {Generator<Person>} oldest first */
export function* people({ count, firstMillis, lastMillis }) {
  const random = generator(7_355_608);
  const pick = list => list[Math.floor(random() * list.length)];
  // Of a hundred users nearly three have the first name of the list, and one in three hundred the last.
  const pickCommon = list => list[Math.floor(random() ** 1.6 * list.length)];
  const uuid = () => uuidOf(Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32)));
  for (let number = 0; number < count; number++) {
    const first = pickCommon(firstNames);
    const last = random() < 0.3 ? pickCommon(commonLastNames) : rareName(pick);
    const host = random() < 0.75 ? pick(providers) : `${rareName(pick).toLowerCase()}.example`;
    // Names without marks are not unique; the number makes the address so, as providers do.
    const local = `${plain(first)}${pick(['.', '_', ''])}${plain(last)}${number.toString(36)}`;
    yield {
      id: uuid(),
      channelId: uuid(),
      displayName: random() < 0.05 ? null : `${first} ${last}`,
      address: random() < 0.03 ? null : `${local}@${host}`,
      // Always about three at the same time.
      signedUpAtMillis: firstMillis + Math.floor(((lastMillis - firstMillis) * number) / count / tickMs) * tickMs,
    };
  }
}

/** One of about 300,000; each is had by a few. */
function rareName(pick) {
  const name = pick(syllables) + pick(syllables) + pick(syllables) + pick(endings);
  return name[0].toUpperCase() + name.slice(1);
}

function plain(name) {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}

function uuidOf(words) {
  const hex = words.map(word => word.toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[Number.parseInt(hex[16], 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
