import type { TokenStoreAdapter } from '../../app/config/options.ts';
import { createListeners } from '../../cache/listeners.ts';
import type { Tokens } from '../tokens.ts';
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

/** Keeps tokens in memory: the store of `memory`, of a request, of given tokens, and of an app without a token store. */
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

/** A store from an adapter of the app. Without `subscribe`, it reports only the changes that the SDK makes. */
export function createAdapterStore(adapter: TokenStoreAdapter): TokenStore {
  const listeners = createListeners();
  return {
    get: () => adapter.get(),
    set(tokens) {
      adapter.set(tokens);
      listeners.notify();
    },
    subscribe(listener) {
      const undo = [listeners.add(listener), adapter.subscribe?.(listener)];
      return () => {
        for (const end of undo) end?.();
      };
    },
    exclusive: run => run(),
  };
}
