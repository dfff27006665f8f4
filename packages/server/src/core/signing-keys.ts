import type { KeyObject } from 'node:crypto';

/** A P-256 key pair of one project. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: PublicJwk;
}

export interface PublicJwk {
  readonly kty: 'EC';
  readonly alg: 'ES256';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
}

/** The keys of a project: `current` signs tokens, and any key of `all` verifies them. */
export interface SigningKeys {
  readonly current: SigningKey;
  readonly all: readonly SigningKey[];
}
