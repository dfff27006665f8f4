import { expect, it } from 'vitest';
import { project } from '../test/fake-app.ts';
import { type AuthSituation, type AuthState, authState } from './auth-state.ts';

const usual: AuthSituation = {
  type: 'sign-in',
  config: project().config,
  isSignedIn: false,
  hasFailed: false,
  isSubmitting: false,
  sendsOn: true,
};
const closed = project({ signUpEnabled: false }).config;

const cases: [Partial<AuthSituation>, AuthState][] = [
  [{}, 'form'],
  [{ config: undefined }, 'loading'],
  [{ isSignedIn: undefined }, 'loading'],
  [{ config: undefined, hasFailed: true }, 'failed'],
  [{ isSignedIn: undefined, hasFailed: true }, 'failed'],
  [{ hasFailed: true }, 'form'],
  [{ isSignedIn: true }, 'leaving'],
  [{ isSignedIn: true, sendsOn: false }, 'signed-in'],
  [{ isSignedIn: true, isSubmitting: true }, 'form'],
  [{ config: closed }, 'form'],
  [{ type: 'sign-up', config: closed }, 'sign-up-disabled'],
  [{ type: 'sign-up', config: closed, isSignedIn: true }, 'leaving'],
];

it.each(cases)('%j → %s', (change, state) => expect(authState({ ...usual, ...change })).toBe(state));
