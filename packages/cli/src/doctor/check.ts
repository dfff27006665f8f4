/** What one check has found. */
export interface Finding {
  readonly name: string;
  /** `skipped`: it does not apply here, or nothing can be said from here. */
  readonly status: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly says: string;
  /** A line to paste: for the environment of the server, or for this terminal. */
  readonly fix?: string;
}

type Said = Omit<Finding, 'name' | 'status'>;

/** Findings of one check, under its name. */
export function findings(name: string) {
  const make =
    (status: Finding['status']) =>
    (says: string, fix?: string): Finding => ({ name, status, ...said(says, fix) });
  return { ok: make('ok'), warning: make('warning'), wrong: make('wrong'), skipped: make('skipped') };
}

function said(says: string, fix: string | undefined): Said {
  return fix === undefined ? { says } : { says, fix };
}
