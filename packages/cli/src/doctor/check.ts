/** The result of one check. */
export interface Finding {
  readonly name: string;
  /** `skipped`: the check does not apply here, or cannot decide from here. */
  readonly status: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly says: string;
  /** A line to paste: into the environment of the server, this terminal, or the proxy (nginx in the examples). */
  readonly fix?: string;
}

/** Creates the findings of one check. A problem or warning has a line that fixes it. */
export function findings(name: string) {
  const finding =
    (status: Finding['status']) =>
    (says: string): Finding => ({ name, status, says });
  const objection =
    (status: Finding['status']) =>
    (says: string, fix: string): Finding => ({ name, status, says, fix });
  return { ok: finding('ok'), skipped: finding('skipped'), warning: objection('warning'), wrong: objection('wrong') };
}
