import { queryOptions } from '@tanstack/react-query';
import type { OwnedProject } from '../../data/owner.tsx';

/** What came back from a provider during a test. */
export function providerTestQuery(project: OwnedProject, testId: string) {
  return queryOptions({
    queryKey: ['project', project.id, 'sign-in-methods', 'provider-test', testId],
    queryFn: () => project.app.getOAuthProviderTest(testId),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Whether apps of the project can create anonymous users. */
export function anonymousUsersQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'sign-in-methods', 'anonymous-users'],
    queryFn: () => project.app.getAnonymousUserSettings(),
  });
}

/** With which addresses people can sign up. */
export function signUpRestrictionsQuery(project: OwnedProject) {
  return queryOptions({
    queryKey: ['project', project.id, 'sign-in-methods', 'sign-up-restrictions'],
    queryFn: () => project.app.getSignUpRestrictions(),
  });
}
