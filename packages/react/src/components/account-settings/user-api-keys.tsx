import type { CurrentUser } from '@tessera/client';
import { useRead } from '../../hooks/use-read.ts';
import { ApiKeys } from './api-keys/api-keys.tsx';

/** The API keys of the user. */
export function UserApiKeys({ user }: { user: CurrentUser }) {
  const keys = useRead(user, 'listApiKeys');
  return <ApiKeys isAlone text="keys.text" keys={keys} create={options => user.createApiKey(options)} />;
}
