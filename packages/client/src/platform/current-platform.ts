import { browser } from './browser.ts';
import { node } from './node.ts';
import type { Platform } from './platform.ts';

/** The platform adapter for the current runtime: browser or Node. */
export function currentPlatform(): Platform {
  return isBrowser() ? browser() : node();
}

function isBrowser(): boolean {
  return typeof window !== 'undefined' && typeof document !== 'undefined' && Boolean(document.createElement);
}
