import type { Page } from 'playwright-core';
import type { ProjectSwitches } from '../project.ts';
import type { TesseraServer } from '../tessera-server.ts';

/** The server, the browser tab and the account of a scene. */
export interface Stage {
  readonly page: Page;
  readonly server: Pick<TesseraServer, 'url' | 'keys'>;
}

/** A page of the demo in one of its states. */
export interface Scene {
  readonly name: string;
  /** Settings of the project. Default: passwords only. */
  readonly switches?: ProjectSwitches;
  /** Brings a new tab into this state and waits until it is complete. */
  readonly show: (stage: Stage) => Promise<void>;
  /** The content is still loading. */
  readonly isLoading?: boolean;
}
