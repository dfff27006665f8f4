import type { AuditEvent, Json } from '@tessera/client';
import { isRecord, type JsonRecord } from '../../../data/is-record.ts';
import { providerName } from '../../../data/oauth-providers.ts';
import { actionWords } from '../actions.ts';
import { blockWords, changeWords, requestWords, settingWords } from './change-words.ts';

type TitledEvent = Pick<AuditEvent, 'action' | 'details' | 'before' | 'after'>;

const mostNamesInTitle = 3;
const list = new Intl.ListFormat('en');

/** What happened in an event, in words. */
export function eventTitle(event: TitledEvent): string {
  const { action, details } = event;
  if (action === 'admin.request') return requestTitle(details) ?? actionWords[action];
  if (action === 'session.created' && memberOf(details, 'is_impersonation') === true) return changeWords.impersonated;
  if (action === 'limit.reached') return blockWords[String(memberOf(details, 'limit'))] ?? actionWords[action];
  const settings = changedSettings(event);
  if (settings.length === 0) return actionWords[action];
  return settings.length > mostNamesInTitle
    ? changeWords.changedSettings(settings.length)
    : changeWords.changed(list.format(settings));
}

/** The names of what an event changed, without values: settings of the project, or fields of a request. */
export function changedNames(event: TitledEvent): readonly string[] {
  const fields = memberOf(event.details, 'fields');
  if (!Array.isArray(fields)) return changedSettings(event);
  return fields.filter(field => typeof field === 'string').map(readable);
}

function changedSettings({ action, before, after }: TitledEvent): readonly string[] {
  if (action !== 'project.config_changed') return [];
  const names = Object.keys({ ...recordOf(before), ...recordOf(after) });
  return names.map(name => settingWords[name] ?? readable(name));
}

/** @returns undefined for a route without words, as a newer server may have */
function requestTitle(details: Json): string | undefined {
  const route = memberOf(details, 'route');
  const title = typeof route === 'string' ? requestWords[route] : undefined;
  const params = recordOf(memberOf(details, 'params'));
  return title?.replaceAll(/\{(\w+)\}/g, (_, name: string) => paramWords(name, params[name])).trim();
}

function paramWords(name: string, value: Json | undefined): string {
  const text = typeof value === 'string' ? value : '';
  return name === 'provider_id' ? providerName(text) : text;
}

function memberOf(value: Json, name: string): Json | undefined {
  return recordOf(value)[name];
}

function recordOf(value: Json | undefined): JsonRecord {
  return isRecord(value) ? value : {};
}

/** `server_metadata` becomes `server metadata`. */
function readable(name: string): string {
  return name.replaceAll('_', ' ');
}
