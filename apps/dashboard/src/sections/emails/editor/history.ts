/** The undo history of a document. */
export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
  /** The field that the last change was made in: more typing in it is the same step. */
  readonly field: string | undefined;
}

const maxSteps = 200;

export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], field: undefined };
}

/** A change. Changes of one field that follow each other are one step. */
export function record<State>(history: History<State>, present: State, field?: string): History<State> {
  if (present === history.present) return history;
  const isSameStep = field !== undefined && field === history.field;
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-maxSteps);
  return { past, present, future: [], field };
}

export function undo<State>(history: History<State>): History<State> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  const future = [history.present, ...history.future];
  return { past: history.past.slice(0, -1), present, future, field: undefined };
}

export function redo<State>(history: History<State>): History<State> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, field: undefined };
}
