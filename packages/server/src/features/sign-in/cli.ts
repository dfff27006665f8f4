import { randomUUID } from 'node:crypto';
import { cliEndpoints, cliLoginLifetimeMs, fail } from '@tessera/protocol';
import type { Deps } from '../../deps.ts';
import { type BoundRoute, bind, Special } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { randomSecret } from '../../platform/random.ts';
import { sha256 } from '../../platform/secrets.ts';
import { selectSessionOf, wholeLifetime } from '../sessions/index.ts';
import { completeCliLogin, insertCliLogin, pickUpCliLogin, selectCliLogin } from './cli-store.ts';

const refreshTokenPurpose = 'refresh token of a command-line login';

/** sign-in-methods.md 8: the program polls, the person completes in a browser. */
export function cliRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(cliEndpoints.start, async ({ body, project }) => {
      const pollingCode = randomSecret();
      const loginCode = randomSecret();
      const createdAtMillis = deps.clock.now();
      const expiresAtMillis = createdAtMillis + (wholeLifetime(body?.expires_in_millis) ?? cliLoginLifetimeMs);
      const hashes = { pollingCodeHash: sha256(pollingCode), loginCodeHash: sha256(loginCode) };
      await insertCliLogin(deps.db, project.id, { id: randomUUID(), ...hashes, createdAtMillis, expiresAtMillis });
      return { polling_code: pollingCode, login_code: loginCode, expires_at: new Date(expiresAtMillis).toISOString() };
    }),

    bind(cliEndpoints.poll, async ({ body, project }) => {
      const login = await selectCliLogin(deps.db, project.id, sha256(body.polling_code));
      if (login === undefined) fail('INVALID_POLLING_CODE');
      const nowMillis = deps.clock.now();
      if (login.expiresAtMillis <= nowMillis) return { status: 'expired' } as const;
      if (login.usedAtMillis !== null) return { status: 'used' } as const;
      if (login.completedAtMillis === null) return { status: 'waiting' } as const;
      const sealed = await pickUpCliLogin(deps.db, project.id, login.id, nowMillis);
      if (sealed === undefined) return { status: 'used' } as const;
      const refreshToken = deps.secrets.decrypt(refreshTokenPurpose, sealed).toString('utf8');
      return new Special({ status: 'success', refresh_token: refreshToken }, { status: 201 });
    }),

    bind(cliEndpoints.complete, async ({ body, project }) => {
      const nowMillis = deps.clock.now();
      const session = await selectSessionOf(deps.db, project.id, sha256(body.refresh_token), nowMillis);
      if (session === undefined) refuse(400, 'The session that should complete the login is not one of this project.');
      const refreshToken = deps.secrets.encrypt(refreshTokenPurpose, body.refresh_token);
      const completion = { loginCodeHash: sha256(body.login_code), refreshToken, nowMillis };
      const isOpen = await completeCliLogin(deps.db, project.id, completion);
      return isOpen
        ? ({ success: true } as const)
        : refuse(400, 'This login is not known, completed already, or expired.');
    }),
  ];
}
