import { expect, test } from 'vitest';
import { pickFields } from '../../components/form/changed-fields.ts';
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
    expect(endpointChanges({ ...opened, ...edits }, fields => pickFields(fields, edits))).toEqual(expected);
  },
);
