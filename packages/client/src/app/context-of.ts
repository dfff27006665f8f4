import { assembled } from './assemble.ts';
import type { Context } from './context.ts';

/** The context of an app. @throws for any other object. */
export function contextOf(app: object): Context<'client'> {
  const ctx = assembled.get(app)?.ctx;
  if (ctx === undefined) throw new TypeError('This is not an app of this copy of the SDK.');
  return ctx;
}
