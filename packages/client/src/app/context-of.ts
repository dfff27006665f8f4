import { assembled } from './assemble.ts';
import type { Context } from './context.ts';

/** The context of an app. @throws for any other object. */
export function contextOf(app: object): Context<'client'> {
  const ctx = assembled.get(app)?.ctx;
  if (ctx === undefined)
    throw new TypeError(
      'The object is not an app of this copy of the SDK. Two copies may be installed: `npm ls @tessera/client` lists them.',
    );
  return ctx;
}
