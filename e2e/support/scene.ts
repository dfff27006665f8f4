import type { Page } from 'playwright-core';
import type { ProjectSwitches } from './project.ts';
import type { TesseraServer } from './tessera-server.ts';

/** What the people of a scene stand on. */
export interface Stage {
  readonly page: Page;
  readonly server: Pick<TesseraServer, 'url' | 'keys'>;
}

/** A page of the demo in one of its states. */
export interface Scene {
  readonly name: string;
  /** What the project offers. Default: passwords. */
  readonly switches?: ProjectSwitches;
  /** Brings an untouched tab into this state and waits until all of it is there. */
  readonly show: (stage: Stage) => Promise<void>;
  /** The content is still to come. */
  readonly isLoading?: boolean;
}
