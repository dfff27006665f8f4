import Bowser from 'bowser';

/** The program and the machine of a session, according to the user agent, which any caller can choose freely. */
export interface Device {
  /** `Chrome 143` */
  readonly browser: string | null;
  /** `macOS 15.1` */
  readonly system: string | null;
  readonly type: 'desktop' | 'mobile' | 'tablet' | 'other';
}

const knownTypes = new Set<string | undefined>(['desktop', 'mobile', 'tablet']);

export function deviceOf(userAgent: string | null): Device {
  if (!userAgent) return { browser: null, system: null, type: 'other' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: named(browser.name, browser.version?.split('.', 1)[0]),
    system: named(os.name, os.versionName ?? os.version),
    type: knownTypes.has(platform.type) ? (platform.type as Device['type']) : 'other',
  };
}

function named(name: string | undefined, version: string | undefined): string | null {
  if (!name) return null;
  return version ? `${name} ${version}` : name;
}
