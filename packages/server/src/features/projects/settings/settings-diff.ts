import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@tessera/protocol';
import type { ProjectRecord } from '../store.ts';
import { settingsOf } from './config.ts';

/** Replaces the value of a secret. Its existence and the time of its change are not secret. */
const hidden = '[hidden]';

/**
 * The change as the audit log records it: the settings that differ, with old and new values. Secrets are replaced by a
 * placeholder.
 *
 * @returns undefined when nothing differs
 */
export function diffSettings(before: ProjectRecord, after: ProjectRecord): { before: Json; after: Json } | undefined {
  const [was, is] = [collectSettings(before), collectSettings(after)];
  const changed = Object.keys({ ...was, ...is }).filter(name => !isDeepStrictEqual(was[name], is[name]));
  if (changed.length === 0) return undefined;
  const toDiffValues = (settings: Readonly<Record<string, unknown>>) =>
    toWire(Object.fromEntries(changed.map(name => [name, settings[name] ?? null])));
  return { before: toDiffValues(was), after: toDiffValues(is) };
}

function collectSettings(project: ProjectRecord): Record<string, unknown> {
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

/** `sealedClientSecret` becomes `client_secret`. */
function snakeCase(name: string): string {
  const small = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return small.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}
