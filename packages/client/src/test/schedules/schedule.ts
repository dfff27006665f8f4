import * as fc from 'fast-check';
import type { Fate } from './browser.ts';

/** What happens to a browser. Tabs are named by number; one that does not exist is another one. */
export type Event =
  | { readonly do: 'sign in'; readonly tab: number; readonly person: 'ada' | 'bob' }
  | { readonly do: 'sign out'; readonly tab: number }
  | { readonly do: 'use'; readonly tab: number }
  | { readonly do: 'watch'; readonly tab: number }
  | { readonly do: 'open' }
  | { readonly do: 'kill'; readonly tab: number }
  | { readonly do: 'sleep'; readonly tab: number }
  | { readonly do: 'wake'; readonly tab: number }
  | { readonly do: 'go offline'; readonly tab: number }
  | { readonly do: 'go online'; readonly tab: number }
  | { readonly do: 'pass'; readonly delayMs: number };

/** A browser, and what happens to it. */
export interface Schedule {
  readonly rotates: boolean;
  readonly hasLocks: boolean;
  readonly hasChannels: boolean;
  readonly skewMs: number;
  /** Of the requests, in turn and again from the beginning. */
  readonly fates: readonly Fate[];
  readonly latenciesMs: readonly number[];
  readonly events: readonly Event[];
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

const tab = fc.nat({ max: 4 });
const onTab = <const Name extends string>(name: Name) => fc.record({ do: fc.constant(name), tab });

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sign in' as const), tab, person: fc.constantFrom('ada', 'bob') }),
  },
  { weight: 1, arbitrary: onTab('sign out') },
  { weight: 8, arbitrary: onTab('use') },
  { weight: 2, arbitrary: onTab('watch') },
  { weight: 2, arbitrary: fc.constant({ do: 'open' as const }) },
  { weight: 1, arbitrary: onTab('kill') },
  { weight: 1, arbitrary: onTab('sleep') },
  { weight: 2, arbitrary: onTab('wake') },
  { weight: 1, arbitrary: onTab('go offline') },
  { weight: 2, arbitrary: onTab('go online') },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      delayMs: fc.oneof(
        fc.nat({ max: 400 }),
        fc.integer({ min: 1000, max: 40_000 }),
        fc.integer({ min: 580_000, max: 620_000 }),
        fc.constantFrom(hourMs, 2 * dayMs),
      ),
    }),
  },
);

/** Of every project and every browser: anything may fail. */
const shared = {
  hasLocks: fc.boolean(),
  hasChannels: fc.boolean(),
  skewMs: fc.constantFrom(0, 0, dayMs, -dayMs),
  fates: fc.array(fc.constantFrom<Fate[]>('arrives', 'arrives', 'arrives', 'is lost', 'loses its answer'), {
    minLength: 1,
    maxLength: 8,
  }),
  latenciesMs: fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 6 }),
  events: fc.array(event, { minLength: 4, maxLength: 40 }),
};

/** A project that keeps refresh tokens, as most do. */
export const plainSchedules: fc.Arbitrary<Schedule> = fc.record({ ...shared, rotates: fc.constant(false) });

/** A project that replaces them (control 25). */
export const rotatingSchedules: fc.Arbitrary<Schedule> = fc.record({ ...shared, rotates: fc.constant(true) });
