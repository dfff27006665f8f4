/** The server cannot start or a command cannot run. `message` describes the problem and its remedy to the operator. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
