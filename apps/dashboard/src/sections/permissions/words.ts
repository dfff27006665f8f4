import { titles } from '../titles.ts';
import type { Scope } from './queries.ts';

/** The words of the permission definitions. */
export const words = {
  title: titles.permissions,
  description: 'What users may do. A permission includes all permissions that it contains.',
  scope: {
    team: {
      title: 'In a team',
      hint: 'A user has these permissions in one team. Those that begin with $ are built in.',
      create: 'Define a team permission',
    },
    project: {
      title: 'In the whole project',
      hint: 'A user has these permissions everywhere.',
      create: 'Define a project permission',
    },
  } satisfies Record<Scope, object>,
  define: 'Define',
  filter: 'Filter permissions by id or description',
  empty:
    'No permission is defined here. Define what your app asks before it lets a user act, for example billing:read.',
  noMatch: 'No permission matches.',
  builtIn: 'built in',
  cycle: 'cycle',
  cycleHint: 'This permission contains itself through other permissions. Edit it to end the cycle.',
  repeated: 'shown above',
  edit: 'Edit',
  editNamed: (id: string) => `Edit the permission ${id}`,
  editTitle: (id: string) => `Edit ${id}`,
  delete: 'Delete',
  deleteNamed: (id: string) => `Delete the permission ${id}`,
  deleteTitle: (id: string) => `Delete ${id}?`,
  deleteText: 'All users lose it, and no other permission contains it any more. This cannot be undone.',
  deleted: (id: string) => `${id} was deleted`,
  id: 'Id',
  idHint: 'Letters a–z, digits, “_” and “:”. It cannot be changed later.',
  idWrong: 'Use only the characters a–z, 0–9, “_” and “:”.',
  idTaken: 'A permission with this id exists.',
  describe: 'Description',
  describeHint: 'What it allows, for the people who grant it.',
  contains: 'Contains',
  wouldCycle: (id: string) => `contains ${id}, so ${id} cannot contain it`,
  nothingToContain: 'There is no other permission.',
  saved: (id: string) => `${id} was saved`,
  defaults: {
    title: 'Granted by default',
    hint: 'What new members and users get without a grant. Existing grants stay as they are.',
    set: {
      teamCreatorDefaultPermissions: 'The creator of a team',
      teamMemberDefaultPermissions: 'A new member of a team',
      userDefaultPermissions: 'A new user, in the whole project',
    },
    none: 'nothing',
    edit: 'Edit',
    editNamed: (name: string) => `Edit the default permissions: ${name}`,
    saved: 'The default permissions were saved',
  },
} as const;
