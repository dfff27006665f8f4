import { useQueryClient } from '@tanstack/react-query';
import type { AdminProjectConfigUpdate, AdminProjectUpdateOptions } from '@tessera/client';
import { useProject } from './owner.tsx';

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
