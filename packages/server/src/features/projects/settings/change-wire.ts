import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@tessera/protocol';
import type { ProjectRecord } from '../store.ts';
import { settingsOf } from './config.ts';

/** Stands where a secret is: that there is one, and when it changed, is not secret. */
const hidden = '[hidden]';

/**
 * What the audit log tells of a change: the settings that differ, as they were and as they are. Secrets are replaced by
 * a mark.
 *
 * @returns undefined when nothing differs
 */
export function settingsDifference(
  before: ProjectRecord,
  after: ProjectRecord,
): { before: Json; after: Json } | undefined {
  const [was, is] = [everythingOf(before), everythingOf(after)];
  const changed = Object.keys({ ...was, ...is }).filter(name => !isDeepStrictEqual(was[name], is[name]));
  if (changed.length === 0) return undefined;
  const told = (settings: Readonly<Record<string, unknown>>) =>
    toWire(Object.fromEntries(changed.map(name => [name, settings[name] ?? null])));
  return { before: told(was), after: told(is) };
}

function everythingOf(project: ProjectRecord): Record<string, unknown> {
  const { displayName, description, isProductionMode } = project;
  return { displayName, description, isProductionMode, ...settingsOf(project) };
}

function toWire(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const secretName = /^sealed(.+)$/.exec(name)?.[1];
      return secretName === undefined ? [snakeCase(name), toWire(inner)] : [snakeCase(secretName), hidden];
    }),
  );
}

/** `sealedClientSecret` is told as `client_secret`. */
function snakeCase(name: string): string {
  const small = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return small.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
