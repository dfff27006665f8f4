import { expect, test } from 'vitest';
import type { OnlyChanged } from '../../components/form/use-form.ts';
import { type EndpointValues, endpointChanges } from './endpoint-form.ts';

const opened: EndpointValues = {
  url: 'https://example.com',
  description: 'Orders',
  receivesAll: false,
  eventTypes: ['user.created'],
};

test.each([
  [{ description: ' Shop ' }, { description: 'Shop' }],
  [{ url: 'https://example.org ' }, { url: 'https://example.org' }],
  [{ eventTypes: ['user.deleted'] }, { eventTypes: ['user.deleted'] }],
  [{ receivesAll: true }, { eventTypes: null }],
] satisfies [Partial<EndpointValues>, object][])(
  'of a webhook endpoint with the edit %j only %j is saved',
  (edits, expected) => {
    const onlyChanged: OnlyChanged<EndpointValues> = fields =>
      Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(edits, name))) as Partial<
        typeof fields
      >;
    expect(endpointChanges({ ...opened, ...edits }, onlyChanged)).toEqual(expected);
  },
);
