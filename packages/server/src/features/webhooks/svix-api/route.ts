import type { SvixEndpoint } from '@tessera/protocol';
import type * as z from 'zod';
import type { Project } from '../../../core/project.ts';
import type { PortalAccess } from './token.ts';

type Schema<E, Part extends string> = Part extends keyof E ? E[Part] : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A validated request to a Svix-compatible route. */
export interface SvixCall<E extends SvixEndpoint = SvixEndpoint> {
  readonly project: Project;
  readonly access: PortalAccess;
  /** Raw path parameters. The named objects may not exist. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Output<Schema<E, 'query'>>;
  readonly body: Output<Schema<E, 'body'>>;
}

export interface SvixRoute {
  readonly endpoint: SvixEndpoint;
  readonly handle: (call: SvixCall) => Promise<unknown>;
}

type Answer<E extends SvixEndpoint> = E extends { response: infer S } ? Output<S> : undefined;

/** Binds a Svix-compatible route to its handler. */
export function svixRoute<const E extends SvixEndpoint>(
  endpoint: E,
  handler: (call: SvixCall<E>) => Promise<Answer<E>>,
): SvixRoute {
  // Requests are validated against this route, so the call has the type of the handler.
  return { endpoint, handle: handler as unknown as SvixRoute['handle'] };
}
