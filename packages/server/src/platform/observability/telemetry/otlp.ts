/** The process that sends. */
export interface Resource {
  readonly serviceName: string;
  readonly instanceId: string;
}

export const scope = { name: 'tessera' };

export function resourceOf({ serviceName, instanceId }: Resource): object {
  return { attributes: [attribute('service.name', serviceName), attribute('service.instance.id', instanceId)] };
}

/** Whole numbers are text in the JSON of OTLP. */
export function attribute(key: string, value: string | number): object {
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } };
}

/** Nanoseconds since 1970 as text: they do not fit a number. */
export function toNanos(millis: number): string {
  return `${Math.round(millis * 1000)}000`;
}
