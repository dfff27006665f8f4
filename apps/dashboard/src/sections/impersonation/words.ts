/** The words of the window for impersonation. */
export const words = {
  pageTitle: 'Impersonation',
  title: (name: string) => `Act as ${name}`,
  text: (project: string) =>
    `You see the account in ${project} as this user sees it. Sign-in methods and API keys cannot be changed, and the account cannot be deleted. The session ends after 15 minutes.`,
  reason: 'Reason',
  reasonHint: 'For example the number of a support ticket. The audit log keeps it with your name.',
  tooShort: (length: number) => `Enter at least ${length} characters.`,
  start: 'Open the account',
  bar: 'Impersonation',
  acting: (name: string, project: string) => `You act as ${name} in ${project}.`,
  ends: 'It ends',
  end: 'End',
  endedTitle: 'The impersonation has ended',
  endedText: 'Nothing of the session is left in this window.',
  back: 'Back to the user',
  noProject: 'There is no such project',
  noProjectText: 'It was deleted, or it belongs to other owners.',
  noUser: 'There is no such user',
  noUserText: 'The user may have been deleted.',
};
