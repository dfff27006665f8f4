/** Under this symbol, the same in every copy of the package, an app keeps what is not part of its public API. */
export const internals: unique symbol = Symbol.for('tessera.internals');
