import type { Caught } from '../known-errors.ts';
import type { Result } from '../result.ts';

/** What the receiver of an invitation into a team does with its code. */
export interface TeamInvitationCodeMethods {
  /** Looks whether a code is good, without using it up. @throws when the server cannot be reached. */
  verifyTeamInvitationCode(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;

  /** Which team it is, without using the code up. @throws when no user is signed in, or the server cannot be reached. */
  getTeamInvitationDetails(code: string): Promise<Result<{ teamDisplayName: string }, Caught<'VERIFICATION_ERROR'>>>;

  /**
   * Makes the signed-in user a member of the team, whatever their address, and uses the code up.
   *
   * @throws when no user is signed in, or the server cannot be reached.
   */
  acceptTeamInvitation(code: string): Promise<Result<undefined, Caught<'VERIFICATION_ERROR'>>>;
}
