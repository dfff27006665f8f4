/** What one check has found. */
export interface Finding {
  readonly name: string;
  /** `skipped`: it does not apply here, or nothing can be said from here. */
  readonly status: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly says: string;
  /** A line to paste: into the environment of the server, this terminal, or the proxy (here nginx). */
  readonly fix?: string;
}

/** Findings of one check, under its name. What is wrong, or may be, comes with the line that mends it. */
export function findings(name: string) {
  const say =
    (status: Finding['status']) =>
    (says: string): Finding => ({ name, status, says });
  const objection =
    (status: Finding['status']) =>
    (says: string, fix: string): Finding => ({ name, status, says, fix });
  return { ok: say('ok'), skipped: say('skipped'), warning: objection('warning'), wrong: objection('wrong') };
}
