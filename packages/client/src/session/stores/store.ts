import type { Tokens } from '../../app/options.ts';
import { createListeners } from '../../cache/listeners.ts';
import { isSameTokens } from '../tokens.ts';

/** Where tokens are kept. */
export interface TokenStore {
  get(): Tokens;
  set(tokens: Tokens): void;
  /** @returns the undo. */
  subscribe(listener: () => void): () => void;
  /** Runs one refresh at a time among all that share these tokens. */
  readonly exclusive: <T>(run: () => Promise<T>) => Promise<T>;
}

/** Keeps tokens in memory: the store of `memory`, of a request, of given tokens and of none. */
export function createMemoryStore(initial: Tokens): TokenStore {
  const listeners = createListeners();
  let tokens = initial;
  return {
    get: () => tokens,
    set(next) {
      if (isSameTokens(next, tokens)) return;
      tokens = next;
      listeners.notify();
    },
    subscribe: listeners.add,
    exclusive: run => run(),
  };
}
