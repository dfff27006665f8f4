import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';

/** What stands against production mode. The settings are in the key, because the SDK derives the list from them. */
export function productionErrorsQuery(project: OwnedProject) {
  const { allowLocalhost, domains } = project.config;
  return queryOptions({
    queryKey: ['project', project.id, 'settings', 'production-errors', { allowLocalhost, domains }],
    queryFn: () => project.getProductionModeErrors(),
  });
}
