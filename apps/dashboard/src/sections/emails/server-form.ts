import { isEmail } from '@tessera/ui';
import type { FieldErrors, OnlyChanged } from '../../components/form/use-form.ts';
import type { OwnedProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { words } from './words.ts';

type EmailConfig = OwnedProject['config']['emailConfig'];

/** The fields of the mail server. */
export interface ServerValues {
  readonly type: 'shared' | 'standard';
  readonly host: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
  readonly senderName: string;
  readonly senderEmail: string;
}

/** The fields of a project. */
export function serverValues(config: EmailConfig): ServerValues {
  const empty = { host: '', port: '587', username: '', password: '', senderName: '', senderEmail: '' };
  return config.type === 'shared' ? { type: 'shared', ...empty } : { ...config, port: String(config.port) };
}

/** The problems of the fields of an own server. */
export function serverErrors(values: ServerValues): FieldErrors<ServerValues> {
  if (values.type === 'shared') return {};
  const port = Number(values.port);
  const required = (text: string) => (text.trim() === '' ? common.form.required : undefined);
  return {
    host: required(values.host),
    port: Number.isInteger(port) && port >= 1 && port <= 65_535 ? undefined : words.portWrong,
    username: required(values.username),
    password: required(values.password),
    senderName: required(values.senderName),
    senderEmail: isEmail(values.senderEmail) ? undefined : common.form.emailWrong,
  };
}

/** Whether the fields can be sent. */
export function isComplete(values: ServerValues): boolean {
  return Object.values(serverErrors(values)).every(problem => problem === undefined);
}

/** The own server of the fields. */
export function ownServer({ type: _, ...values }: ServerValues) {
  return {
    ...values,
    host: values.host.trim(),
    username: values.username.trim(),
    senderName: values.senderName.trim(),
    senderEmail: values.senderEmail.trim(),
    port: Number(values.port),
  };
}

interface EditedServer {
  /** Now: another admin may have changed it while the form was open. */
  readonly stored: EmailConfig;
  readonly values: ServerValues;
  readonly onlyChanged: OnlyChanged<ServerValues>;
}

/**
 * The mail server to store. The sender that was not edited stays as it is stored, and so does the connection. A connection is
 * stored as a whole: a password must not reach the host of another admin.
 */
export function changeServer({ stored, values, onlyChanged }: EditedServer): EmailConfig {
  if (values.type === 'shared') return { type: 'shared' };
  const { senderName, senderEmail, ...connection } = ownServer(values);
  const { type, host, port, username, password } = onlyChanged(values);
  const whole = { type: values.type, ...connection, senderName, senderEmail };
  if (stored.type === 'shared' || type !== undefined) return whole;
  const changesConnection = [host, port, username, password].some(value => value !== undefined);
  return {
    ...stored,
    ...(changesConnection ? connection : {}),
    ...onlyChanged({ senderName, senderEmail }),
  };
}
