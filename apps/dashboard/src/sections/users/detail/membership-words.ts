/** The words of the teams of a user. */
export const membershipWords = {
  add: 'Add to a team',
  find: 'Find a team',
  noTeam: (text: string) => `No team has “${text}” in its name.`,
  addOne: 'Add',
  addNamed: (team: string) => `Add to ${team}`,
  isMember: 'is in this team',
  added: (team: string) => `Added to ${team}`,
  remove: 'Remove',
  removeNamed: (team: string) => `Remove from ${team}`,
  removeTitle: (team: string) => `Remove the user from ${team}?`,
  removeText: 'The user loses the permissions in this team. The account stays.',
  removed: (team: string) => `Removed from ${team}`,
} as const;
