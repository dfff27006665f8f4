/** Runs actions one after the other, in the order of the calls. */
export type InOrder = <Value>(act: () => Promise<Value>) => Promise<Value>;

/** For changes that are saved at once: two requests at the same time could arrive in the wrong order. */
export function createInOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return act => {
    const result = last.then(act);
    last = result.catch(() => undefined);
    return result;
  };
}
