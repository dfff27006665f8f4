import type { InvitedRole } from '@tessera/client';
import { Field, Select } from '@tessera/ui';
import { useProject } from '../../../data/owner.tsx';
import { words as all } from '../words.ts';

const words = all.members;
const invitedRoles = ['viewer', 'admin'] as const satisfies readonly InvitedRole[];

interface RoleFieldProps {
  readonly value: InvitedRole;
  readonly onChange: (role: InvitedRole) => void;
}

/** The choice of a role that is not owner. The project `internal` has no admins. */
export function RoleField({ value, onChange }: RoleFieldProps) {
  const isInternal = useProject().id === 'internal';
  const roles = invitedRoles.filter(role => !isInternal || role !== 'admin');
  return (
    <Field label={words.role}>
      <Select value={value} onChange={event => onChange(roles.find(role => role === event.target.value) ?? value)}>
        {roles.map(role => (
          <option key={role} value={role}>
            {words.roles[role]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
