import { useQueryClient } from '@tanstack/react-query';
import type { AdminProjectConfig, AdminProjectConfigUpdate, AdminProjectUpdateOptions } from '@tessera/client';
import { projectsQuery, useOwner, useProject } from './owner.tsx';

/** Saves changes of the project. It resolves when the pages show the new values. */
export function useUpdateProject(): (changes: AdminProjectUpdateOptions) => Promise<void> {
  const project = useProject();
  const cache = useQueryClient();
  return async changes => {
    await project.update(changes);
    await cache.invalidateQueries({ queryKey: ['projects'] });
  };
}

/** Saves changes of the settings of the project. */
export function useUpdateConfig(): (config: AdminProjectConfigUpdate) => Promise<void> {
  const update = useUpdateProject();
  return config => update({ config });
}

/**
 * Saves a change of a list in the settings of the project. The list is replaced as a whole, so it is read first: the page
 * may be older than a change of another owner or in another tab.
 */
export function useChangeConfig(): (change: (stored: AdminProjectConfig) => AdminProjectConfigUpdate) => Promise<void> {
  const updateConfig = useUpdateConfig();
  const shown = useProject();
  const projects = projectsQuery(useOwner());
  const cache = useQueryClient();
  return async change => {
    const stored = await cache.fetchQuery({ ...projects, staleTime: 0 });
    const { config } = stored.find(({ id }) => id === shown.id) ?? shown;
    await updateConfig(change(config));
  };
}
