interface Named {
  readonly displayName: string | null;
  readonly primaryEmail: string | null;
}

/** The members whose name or email address contains the text, in any case. */
export function filterMembers<Member extends Named>(members: readonly Member[], text: string): readonly Member[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return members;
  return members.filter(({ displayName, primaryEmail }) =>
    [displayName, primaryEmail].some(value => value?.toLowerCase().includes(wanted)),
  );
}
