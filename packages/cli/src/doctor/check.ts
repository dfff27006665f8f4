/** The result of one check. */
export interface Finding {
  readonly name: string;
  /** `skipped`: the check does not apply here, or cannot decide from here. */
  readonly status: 'ok' | 'warning' | 'wrong' | 'skipped';
  readonly message: string;
  /** A line to paste: into the environment of the server, this terminal, or the proxy (nginx in the examples). */
  readonly fix?: string;
}

/** Creates the findings of one check. A problem or warning has a line that fixes it. */
export function findings(name: string) {
  const finding =
    (status: Finding['status']) =>
    (message: string): Finding => ({ name, status, message });
  const objection =
    (status: Finding['status']) =>
    (message: string, fix: string): Finding => ({ name, status, message, fix });
  return { ok: finding('ok'), skipped: finding('skipped'), warning: objection('warning'), wrong: objection('wrong') };
}
