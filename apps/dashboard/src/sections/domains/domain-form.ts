import type { AdminDomainConfig } from '@tessera/client';
import { hasWildcard } from '@tessera/client/internals';
import type { FieldErrors } from '../../components/form/use-form.ts';
import { originOf } from '../../data/origin-of.ts';
import { words } from './words.ts';

/** The form of a new domain is the domain itself, as typed. */
export function validateDomain(
  { domain, handlerPath }: AdminDomainConfig,
  known: readonly AdminDomainConfig[],
): FieldErrors<AdminDomainConfig> {
  return {
    domain: domainProblem(domain, known),
    handlerPath: /^\/\S*$/.test(handlerPath.trim()) ? undefined : words.handlerPathWrong,
  };
}

/** The domains without one of them. */
export function withoutDomain(
  domains: readonly AdminDomainConfig[],
  { domain, handlerPath }: AdminDomainConfig,
): readonly AdminDomainConfig[] {
  return domains.filter(other => other.domain !== domain || other.handlerPath !== handlerPath);
}

function domainProblem(typed: string, known: readonly AdminDomainConfig[]): string | undefined {
  if (hasWildcard(typed)) return words.domainWildcard;
  const origin = originOf(typed);
  if (origin === undefined) return words.domainWrong;
  return known.some(({ domain }) => originOf(domain) === origin) ? words.domainKnown : undefined;
}

/** What can be wrong with a trusted domain, as a word for its badge. */
export function domainFlaw(domain: string): string | undefined {
  if (hasWildcard(domain)) return words.literalWildcard;
  return domain.startsWith('https://') ? undefined : words.notHttps;
}

/** Whether a domain, as typed, names a port. The server does not compare ports. */
export function hasPort(typed: string): boolean {
  const origin = originOf(typed);
  return origin !== undefined && new URL(origin).port !== '';
}
