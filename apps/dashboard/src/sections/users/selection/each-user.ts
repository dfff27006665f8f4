const atOnce = 4;

/** A user for whom the work failed. */
export interface UserFailure {
  readonly id: string;
  readonly error: unknown;
}

interface Outcome {
  readonly done: number;
  readonly failures: readonly UserFailure[];
}

/** Does work for each user, a few at a time. A failure does not stop the others. */
export async function eachUser(
  ids: readonly string[],
  work: (id: string) => Promise<void>,
  onProgress: (count: number) => void,
): Promise<Outcome> {
  const waiting = [...ids];
  const failures: UserFailure[] = [];
  let done = 0;

  async function takeNext(): Promise<void> {
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      try {
        await work(id);
        done += 1;
      } catch (error) {
        failures.push({ id, error });
      }
      onProgress(done + failures.length);
    }
  }

  await Promise.all(Array.from({ length: atOnce }, takeNext));
  return { done, failures };
}
