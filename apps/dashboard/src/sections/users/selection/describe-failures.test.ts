import { RequestError } from '@tessera/client';
import { expect, test } from 'vitest';
import { words as common } from '../../../words.ts';
import { describeFailures } from './describe-failures.ts';

const failed = (id: string, error: unknown = new Error('x')) => ({ id, error });

test('failures with one reason name up to three users, then their number', () => {
  const reason = common.problem.unexpected;
  expect(describeFailures([failed('ada'), failed('bob')], id => id.toUpperCase())).toBe(`ADA, BOB: ${reason}`);
  const five = ['a', 'b', 'c', 'd', 'e'].map(id => failed(id));
  expect(describeFailures(five, id => id)).toBe(`a, b, c and 2 more: ${reason}`);
});

test('server faults have one reason, with the trace id of the first', () => {
  const fault = (traceId: string) => {
    const sentence = `Something went wrong on our side. Request id: ${traceId}`;
    return new RequestError('unexpected-answer', 'x', { status: 500, sentence, traceId });
  };
  const failures = [failed('ada', fault('trace1')), failed('bob', fault('trace2'))];
  const reason = common.problem['unexpected-answer'];
  expect(describeFailures(failures, id => id)).toBe(`ada, bob: ${reason} Trace id trace1`);
});
