/** The server cannot start or a command cannot run. `message` tells the operator what is wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
