import { useQuery } from '@tanstack/react-query';
import type { AuditEvent, InternalApiKey } from '@tessera/client';
import { useProject } from '../../../data/owner.tsx';
import { keySetsQuery } from '../../api-keys/queries.ts';

/** The key set with which a caller made a request; undefined for other callers, and for a key whose set is not known. */
export function useActingKeySet({ type, id }: AuditEvent['actor']): InternalApiKey | undefined {
  const isKey = id !== null && (type === 'server_key' || type === 'admin_key');
  const { data } = useQuery({
    ...keySetsQuery(useProject()),
    enabled: isKey,
    select: sets => sets.find(set => set.id === id),
  });
  return isKey ? data : undefined;
}
