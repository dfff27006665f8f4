import { expect, test } from 'vitest';
import { traceIdOf } from './trace.ts';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';

test.each([
  [`00-${id}-00f067aa0ba902b7-01`, id],
  [undefined, undefined],
  [`00-${id}-0000000000000000-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${id}-00f067aa0ba902b7-01-more`, undefined],
  [`00-${id.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  ['anything\\n"}', undefined],
])('the trace id of traceparent %j is %j', (header, traceId) => {
  expect(traceIdOf(new Headers(header === undefined ? {} : { traceparent: header }))).toBe(traceId);
});
