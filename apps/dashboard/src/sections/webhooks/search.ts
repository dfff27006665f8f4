import { readOneOf } from '../../data/search-params.ts';

const statuses = ['success', 'pending', 'fail', 'sending', 'canceled'] as const;

/** The periods of the delivery filter, with their length. */
const periodMs = { hour: 3_600_000, day: 24 * 3_600_000, week: 7 * 24 * 3_600_000 } as const;

const periods = ['hour', 'day', 'week'] as const;

/** The filters of the deliveries, as they are in the address. */
export interface DeliverySearch {
  readonly status?: (typeof statuses)[number];
  readonly since?: (typeof periods)[number];
}

/** Reads the filters from an address. */
export function readDeliverySearch(search: Readonly<Record<string, unknown>>): DeliverySearch {
  const status = readOneOf(search.status, statuses);
  const since = readOneOf(search.since, periods);
  return { ...(status === undefined ? {} : { status }), ...(since === undefined ? {} : { since }) };
}

/** The filters as options of the SDK, at a point in time. */
export function deliveryOptions({ status, since }: DeliverySearch, now: Date) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(since === undefined ? {} : { after: new Date(now.getTime() - periodMs[since]) }),
  };
}
