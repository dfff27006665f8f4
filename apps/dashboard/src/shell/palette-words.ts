/** The words of the command palette, which is loaded when it opens. */
export const words = {
  label: 'Command palette',
  placeholder: 'Go to, search, or run …',
  empty: 'No command matches.',
  sections: 'Go to',
  projects: 'Projects',
  actions: 'Actions',
  searchTeams: (text: string) => `Find teams: ${text}`,
  searchUsers: (text: string) => `Find users: ${text}`,
} as const;
