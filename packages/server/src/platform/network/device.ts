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

/**
 * `Chrome on Windows`; undefined for a program that is not a browser. Without versions: browsers report Windows 11 as
 * Windows 10 and every macOS as 10.15.
 */
export function deviceInWords(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  return browser.name && os.name ? `${browser.name} on ${os.name}` : undefined;
}

/** Browser, system and type without versions, so that an update keeps it. Undefined for a program that is not a browser. */
export function deviceFamily(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const { browser, os, platform } = Bowser.parse(userAgent);
  return browser.name && os.name ? [browser.name, os.name, platform.type ?? ''].join('/') : undefined;
}

export function deviceOf(userAgent: string | null): Device {
  if (!userAgent) return { browser: null, system: null, type: 'other' };
  const { browser, os, platform } = Bowser.parse(userAgent);
  return {
    browser: nameWithVersion(browser.name, browser.version?.split('.', 1)[0]),
    system: nameWithVersion(os.name, os.versionName ?? os.version),
    type: knownTypes.has(platform.type) ? (platform.type as Device['type']) : 'other',
  };
}

function nameWithVersion(name: string | undefined, version: string | undefined): string | null {
  if (!name) return null;
  return version ? `${name} ${version}` : name;
}
