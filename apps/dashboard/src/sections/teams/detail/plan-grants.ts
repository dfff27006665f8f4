/** The changes that lead from the direct grants of a member to the wanted ones. */
export function planGrants(
  granted: readonly string[],
  wanted: readonly string[],
): { readonly grant: readonly string[]; readonly revoke: readonly string[] } {
  return {
    grant: wanted.filter(id => !granted.includes(id)),
    revoke: granted.filter(id => !wanted.includes(id)),
  };
}
