import { Input, type InputProps } from '@tessera/ui';

/** The input of an email address. Default: the browser does not fill it. */
export function EmailInput(props: Omit<InputProps, 'type' | 'dir'>) {
  return <Input type="email" dir="ltr" autoComplete="off" {...props} />;
}
