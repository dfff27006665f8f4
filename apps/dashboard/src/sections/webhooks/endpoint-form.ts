import type { FieldErrors, OnlyChanged } from '../../components/form/use-form.ts';
import type { Endpoint, EventType } from './queries.ts';
import { words } from './words.ts';

/** The fields that creation and settings of an endpoint share. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string;
  readonly receivesAll: boolean;
  readonly eventTypes: readonly EventType[];
}

/** The fields of a new endpoint. */
export const newEndpoint: EndpointValues = { url: '', description: '', receivesAll: true, eventTypes: [] };

/** The fields of an endpoint. */
export function endpointValues({ url, description, eventTypes }: Endpoint): EndpointValues {
  return { url, description, receivesAll: eventTypes === null, eventTypes: eventTypes ?? [] };
}

/** The problems of the fields. The server decides which hosts it allows. */
export function endpointErrors({ url, receivesAll, eventTypes }: EndpointValues): FieldErrors<EndpointValues> {
  const isUrl = URL.canParse(url.trim()) && /^https?:$/.test(new URL(url.trim()).protocol);
  return {
    url: isUrl ? undefined : words.urlWrong,
    eventTypes: receivesAll || eventTypes.length > 0 ? undefined : words.pickOne,
  };
}

/** The fields as options of the SDK. */
export function endpointOptions({ url, description, receivesAll, eventTypes }: EndpointValues) {
  return { url: url.trim(), description: description.trim(), eventTypes: receivesAll ? null : eventTypes };
}

/** The fields that were edited, as options of the SDK. The others stay as another admin may have changed them meanwhile. */
export function endpointChanges(values: EndpointValues, onlyChanged: OnlyChanged<EndpointValues>) {
  const { eventTypes, ...texts } = endpointOptions(values);
  const { receivesAll, eventTypes: picked } = onlyChanged(values);
  const changesEvents = receivesAll !== undefined || picked !== undefined;
  return { ...onlyChanged(texts), ...(changesEvents ? { eventTypes } : {}) };
}
