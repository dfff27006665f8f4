/** An expected refusal without a code: a status and a sentence (a "text error" of docs/contract/envelope.md). */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly status: number,
    sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(sentence);
  }
}

/** An error with the headers of its answer. */
export class ErrorWithHeaders extends Error {
  override readonly name = 'ErrorWithHeaders';

  constructor(
    override readonly cause: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super('an error whose answer has headers of its own', { cause });
  }
}

/** Refuses with a plain sentence. @throws Refusal always */
export function refuse(status: number, sentence: string, headers?: Readonly<Record<string, string>>): never {
  throw new Refusal(status, sentence, headers);
}

/** Marks a state that cannot occur: a 500 with details in the log only. @throws always */
export function unreachable(what: string): never {
  throw new Error(`unreachable: ${what}`);
}
