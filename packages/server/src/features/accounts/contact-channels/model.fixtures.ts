import * as fc from 'fast-check';

export const places = [0, 1, 2];

/** Every operation that writes channels; `channel` is an index into the channels of the user. */
export type Step =
  | { act: 'create'; person: number; value: number; usedForAuth: boolean; isPrimary: boolean; isVerified: boolean }
  | { act: 'change'; person: number; channel: number; changes: Changes }
  | { act: 'delete'; person: number; channel: number }
  | { act: 'update'; person: number; email: number | null | undefined; verified?: boolean; auth?: boolean }
  | { act: 'verify'; person: number; value: number }
  | { act: 'signUp'; value: number }
  | { act: 'deleteUser'; person: number };

interface Changes {
  readonly value?: number;
  readonly is_primary?: boolean;
  readonly used_for_auth?: boolean;
  readonly is_verified?: boolean;
}

const person = fc.nat({ max: 2 });
const value = fc.nat({ max: 3 });
const flag = fc.boolean();
const optional = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });
const changes: fc.Arbitrary<Changes> = fc.record(
  { value, is_primary: flag, used_for_auth: flag, is_verified: flag },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('create'),
      person,
      value,
      usedForAuth: flag,
      isPrimary: flag,
      isVerified: flag,
    }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('change'), person, channel: fc.nat({ max: 3 }), changes }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('delete'), person, channel: fc.nat({ max: 3 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('update'),
      person,
      email: fc.option(optional(value), { freq: 3 }),
      verified: optional(flag),
      auth: optional(flag),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('verify'), person, value }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('signUp'), value }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('deleteUser'), person }) },
) as fc.Arbitrary<Step>;

export const steps = (maxLength: number) => fc.array(step, { minLength: 1, maxLength });

export interface Channel {
  owner: string;
  value: number;
  isPrimary: boolean;
  isVerified: boolean;
  usedForAuth: boolean;
}

/** The expected state of the server, as a simple list of channels. */
export class Model {
  readonly people = new Set(places);
  channels: Channel[] = [];

  /** @returns the expected status of the step */
  act(step: Step): number {
    if (step.act === 'signUp') return this.signUp(step.value);
    const owner = String(step.person);
    const own = this.channels.filter(channel => channel.owner === owner);
    const isThere = this.people.has(step.person);
    switch (step.act) {
      case 'create': {
        const { value, usedForAuth, isPrimary, isVerified } = step;
        return isThere ? this.write(undefined, { owner, value, usedForAuth, isPrimary, isVerified }, [201, 409]) : 404;
      }
      case 'change': {
        const channel = own[step.channel];
        if (channel === undefined) return 400;
        const { value = channel.value, is_primary: isPrimary = channel.isPrimary, ...flags } = step.changes;
        const usedForAuth = flags.used_for_auth ?? channel.usedForAuth;
        const isVerified = flags.is_verified ?? (step.changes.value === undefined && channel.isVerified);
        return this.write(channel, { owner, value, usedForAuth, isPrimary, isVerified }, [200, 409]);
      }
      case 'delete': {
        const channel = own[step.channel];
        if (channel === undefined) return 400;
        this.channels = this.channels.filter(one => one !== channel);
        return 200;
      }
      case 'update':
        return isThere ? this.update(owner, own, step) : 404;
      case 'verify': {
        if (!isThere) return 404;
        const channel = own.find(one => one.value === step.value);
        if (channel === undefined) return 400;
        channel.isVerified = true;
        return 200;
      }
      case 'deleteUser':
        this.channels = this.channels.filter(channel => channel.owner !== owner);
        return this.people.delete(step.person) ? 200 : 404;
    }
  }

  private signUp(value: number): number {
    const made = { owner: 'new', value, usedForAuth: true, isPrimary: true, isVerified: false };
    this.release(made);
    if (this.channels.some(channel => channel.value === value && channel.usedForAuth)) return 409;
    this.channels.push(made);
    return 200;
  }

  private update(owner: string, own: readonly Channel[], step: Step & { act: 'update' }): number {
    const primary = own.find(channel => channel.isPrimary);
    const value = step.email === undefined ? primary?.value : step.email;
    if (value == null) {
      if (step.verified === true || step.auth === true) return 400;
      this.channels = this.channels.filter(channel => channel !== primary);
      return 200;
    }
    const other = own.find(channel => channel.value === value && channel !== primary);
    const from = other ?? primary;
    const usedForAuth = step.auth ?? from?.usedForAuth ?? false;
    const isVerified = step.verified ?? from?.isVerified ?? false;
    // Another channel that becomes the primary one claims its address only by an update that names both flags.
    const claims = other === undefined || (step.verified === true && step.auth === true);
    return this.write(from, { owner, value, usedForAuth, isPrimary: true, isVerified }, [200, 409], { claims });
  }

  /**
   * A sign-up, or a verified sign-in channel, takes its address from a user who holds it unverified beside another
   * sign-in address that is verified or the primary one.
   */
  private release({ owner, value }: Pick<Channel, 'owner' | 'value'>): void {
    const held = this.channels.find(one => one.value === value && one.usedForAuth && one.owner !== owner);
    // A user who signed up has one address.
    if (held === undefined || held.isVerified || held.owner === 'new') return;
    const keepsAnother = this.channels.some(
      one =>
        one !== held &&
        one.owner === held.owner &&
        one.usedForAuth &&
        (one.isVerified || (one.isPrimary && !held.isPrimary)),
    );
    if (keepsAnother) held.usedForAuth = false;
  }

  /** Replaces a channel, or appends one. */
  private write(
    before: Channel | undefined,
    after: Channel,
    [done, taken]: readonly [number, number],
    { claims = true }: { claims?: boolean } = {},
  ): number {
    const others = this.channels.filter(channel => channel !== before);
    const { owner, value } = after;
    if (others.some(one => one.owner === owner && one.value === value)) return 400;
    if (claims && after.isVerified && after.usedForAuth) this.release(after);
    if (after.usedForAuth && others.some(one => one.value === value && one.usedForAuth)) return taken;
    if (after.isPrimary) for (const one of others) if (one.owner === owner) one.isPrimary = false;
    if (before === undefined) this.channels.push(after);
    else Object.assign(before, after);
    return done;
  }

  state(): string[] {
    return this.channels.map(lineOf).sort();
  }
}

export function lineOf({ owner, value, isPrimary, isVerified, usedForAuth }: Channel): string {
  const flags = [isPrimary && 'primary', isVerified && 'verified', usedForAuth && 'signs in'];
  return [owner, value, ...flags.filter(word => word !== false)].join(' ');
}
