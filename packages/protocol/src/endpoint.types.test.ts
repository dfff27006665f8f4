import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { type Answer, type Args, endpoint, type Input, type Reply, type RouteOf } from './endpoint.ts';
import type { Route, Routes } from './endpoints.ts';

const low = z.strictObject({ name: z.string() });
const high = low.extend({ secret: z.number().optional() });

const update = endpoint({
  method: 'PATCH',
  path: '/things/{thing_id}',
  access: 'client',
  params: z.strictObject({ thing_id: z.string() }),
  query: z.strictObject({ verbose: z.boolean().optional() }),
  body: { client: low, server: high },
  response: { client: low, server: high },
  summary: 'Change a thing',
  tag: 'Service',
  errors: [],
});
const list = endpoint({
  method: 'GET',
  path: '/things',
  access: 'none',
  response: z.array(low),
  summary: 'List things',
  tag: 'Service',
  errors: [],
});

type Update = typeof update;
type List = typeof list;

describe('the types that are derived from an endpoint', () => {
  test('the route is a literal type', () => {
    expectTypeOf<RouteOf<Update>>().toEqualTypeOf<'PATCH /things/{thing_id}'>();
    expectTypeOf<'GET /users/me'>().toExtend<Route>();
    expectTypeOf<Routes['GET /users/me']['access']>().toEqualTypeOf<'client'>();
  });

  test('a handler gets the body of the highest level, and undefined for undeclared parts', () => {
    expectTypeOf<Input<Update>['body']>().toEqualTypeOf<{ name: string; secret?: number | undefined }>();
    expectTypeOf<Input<Update>['params']>().toEqualTypeOf<{ thing_id: string }>();
    expectTypeOf<Input<Update>['headers']>().toEqualTypeOf<undefined>();
    expectTypeOf<Input<List>['body']>().toEqualTypeOf<undefined>();
  });

  test('a handler returns the object of one of the levels', () => {
    expectTypeOf<Answer<Update>>().toEqualTypeOf<{ name: string } | { name: string; secret?: number | undefined }>();
    expectTypeOf<Answer<List>>().toEqualTypeOf<{ name: string }[]>();
  });

  test('a client passes the declared parts of its level', () => {
    expectTypeOf<Args<Update, 'client'>['body']>().toEqualTypeOf<{ name: string }>();
    expectTypeOf<Args<Update, 'server'>['body']>().toEqualTypeOf<{ name: string; secret?: number | undefined }>();
    expectTypeOf<Args<Update, 'admin'>>().toEqualTypeOf<Args<Update, 'server'>>();
    expectTypeOf<Record<never, never>>().not.toExtend<Args<Update, 'client'>>();
    expectTypeOf<{ params: { thing_id: string }; body: { name: string } }>().toExtend<Args<Update, 'client'>>();
    expectTypeOf<Record<never, never>>().toExtend<Args<List, 'client'>>();
    expectTypeOf<{ body: { name: string } }>().not.toExtend<Args<List, 'client'>>();
  });

  test('a client gets the object of its level', () => {
    expectTypeOf<Reply<Update, 'client'>>().toEqualTypeOf<{ name: string }>();
    expectTypeOf<Reply<Update, 'admin'>>().toEqualTypeOf<{ name: string; secret?: number | undefined }>();
  });

  test('the real user has server fields at server level only', () => {
    expectTypeOf<Reply<Routes['GET /users/me'], 'client'>>().not.toHaveProperty('server_metadata');
    expectTypeOf<Reply<Routes['GET /users/me'], 'server'>>().toHaveProperty('server_metadata');
  });
});
