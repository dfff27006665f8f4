/**
 * The key of an app's non-public members. Every copy of the package has the same symbol.
 *
 * @example
 * const { reads } = app[internals];
 */
export const internals: unique symbol = Symbol.for('tessera.internals');
