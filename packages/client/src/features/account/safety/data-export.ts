import type { Json } from '@tessera/protocol';
import type { Context } from '../../../app/context.ts';
import type { Session } from '../../../session/session.ts';

/** The data of the signed-in user. */
export interface DataExportMethods {
  /**
   * What the project stores about the user, as JSON for a file: account, addresses, sessions, teams, keys without their
   * secrets, and security activity. At most five times a day.
   *
   * @throws `REAUTHENTICATION_REQUIRED`.
   * @example
   * const json = JSON.stringify(await user.exportData(), null, 2);
   */
  exportData(): Promise<Json>;
}

export function dataExport(ctx: Context<'client'>, session: Session): DataExportMethods {
  return { exportData: () => ctx.call('POST /extensions/data-export', { session }) };
}
