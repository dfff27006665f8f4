import { ExportButtons } from '../../../components/export-buttons.tsx';
import { useProject } from '../../../data/owner.tsx';
import type { UserSearch } from '../search.ts';
import { words } from '../words.ts';

/** Exports all users of the filter. */
export function UserExport({ search }: { readonly search: UserSearch }) {
  const project = useProject();

  return (
    <ExportButtons
      words={words.export}
      save={async (format, run) => {
        const { exportUsers } = await import('./export-users.ts');
        await exportUsers(project, search, { format, ...run });
      }}
    />
  );
}
