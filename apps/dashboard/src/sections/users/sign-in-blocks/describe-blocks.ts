import type { SignInBlock } from '@tessera/client';
import { words } from './words.ts';

const time = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });

/** Until when and for which networks sign-in is blocked, in words; undefined when it is not. */
export function describeBlocks(blocks: readonly SignInBlock[]): string | undefined {
  if (blocks.length === 0) return undefined;
  const until = new Date(Math.max(...blocks.map(block => block.until.getTime())));
  const networks = new Set(blocks.map(({ from }) => from));
  const where = networks.has(null) ? words.unknownNetworks : words.networks(networks.size);
  return words.text(time.format(until), where);
}
