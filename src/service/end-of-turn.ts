/**
 * Makes a function that waits until the requests that came in together have been worked on. Their
 * answers then leave together: each answer that leaves alone wakes its reader, which costs more
 * than all else that is done for a small request.
 */
export function createEndOfTurn(): () => Promise<void> {
  let end: Promise<void> | undefined;
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = undefined;
        resolve();
      });
    });
    return end;
  };
}
