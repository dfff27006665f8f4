import { useEffect, useSyncExternalStore } from 'react';
import { useApp } from '../../hooks/hooks.ts';
import type { AuthOffer, AuthType } from '../../sign-in/auth-state.ts';
import { openStorage } from '../../storage/browser-storage.ts';
import { parseJson } from '../../storage/parse-json.ts';
import { hasTwoColumns } from '../oauth/oauth-buttons.tsx';

/** What decides the height of the form: rows of buttons, and whether the form has tabs or a password. */
export interface OfferShape {
  readonly rows: number;
  readonly hasTabs: boolean;
  readonly hasPassword: boolean;
}

/** On the first visit the skeleton is a form with a password. */
const firstVisit: OfferShape = { rows: 0, hasTabs: false, hasPassword: true };

/** Keeps the shape of the form, so that the next visit loads without moving. */
export function useRememberedShape(type: AuthType, offer: AuthOffer): void {
  const { projectId } = useApp();
  const text = JSON.stringify(shapeOf(offer));
  useEffect(() => shapes(projectId, type).write(text), [projectId, type, text]);
}

/** The shape of the form at the last visit in this browser. A server renders the first visit. */
export function useOfferShape(type: AuthType): OfferShape {
  const { projectId } = useApp();
  const text = useSyncExternalStore(neverChanges, () => shapes(projectId, type).read(), nothing);
  return parse(text) ?? firstVisit;
}

function shapes(projectId: string, type: AuthType) {
  return openStorage('local', `tessera.form-shape.${projectId}.${type}`);
}

function shapeOf({ providers, hasPasskey, tabs }: AuthOffer): OfferShape {
  const rows = hasTwoColumns(providers) ? Math.ceil(providers.length / 2) : providers.length;
  return { rows: rows + (hasPasskey ? 1 : 0), hasTabs: tabs.length > 1, hasPassword: tabs[0] === 'password' };
}

/** Other scripts of the page can write there too, so the value is parsed. */
function parse(text: string | undefined): OfferShape | undefined {
  const { rows, hasTabs, hasPassword } = parseJson(text) ?? {};
  const isWhole = typeof rows === 'number' && typeof hasTabs === 'boolean' && typeof hasPassword === 'boolean';
  return isWhole ? { rows: Math.min(Math.max(Math.trunc(rows), 0), 12), hasTabs, hasPassword } : undefined;
}

const neverChanges = () => () => {};
const nothing = () => undefined;
