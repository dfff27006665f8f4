const counts = new Map<string, number>();

/** Counts a sign-in of this page to a project. */
export function countOwnSignIn(projectId: string): void {
  counts.set(projectId, ownSignIns(projectId) + 1);
}

/** The number of sign-ins of this page to a project. Another tab has made a sign-in that does not change it. */
export function ownSignIns(projectId: string): number {
  return counts.get(projectId) ?? 0;
}
