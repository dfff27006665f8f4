import { expect, test } from 'vitest';
import { deliveryOptions, readDeliverySearch } from './search.ts';

test.each([
  [{}, {}],
  [
    { status: 'fail', since: 'day' },
    { status: 'fail', since: 'day' },
  ],
  [{ status: 'lost', since: 5 }, {}],
])('the delivery filters of the address %j are %j', (search, filters) => {
  expect(readDeliverySearch(search)).toEqual(filters);
});

test('the period of the delivery filter begins one hour before the present time', () => {
  expect(deliveryOptions({ status: 'fail', since: 'hour' }, new Date('2026-03-01T12:00:00Z'))).toEqual({
    status: 'fail',
    after: new Date('2026-03-01T11:00:00Z'),
  });
});
