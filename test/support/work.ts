export class Full extends Error {}
export const refusal = (): Error => new Full("no room");

/** Work that goes on until it is told to end, and remembers in which order it was begun. */
export function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    of: (name: string) => (): Promise<string> => {
      begun.push(name);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    },
    /** Ends one, and lets what follows from it happen. */
    async end(name: string): Promise<void> {
      ends.get(name)?.resolve(name);
      await Bun.sleep(0);
    },
    async fail(name: string): Promise<void> {
      ends.get(name)?.reject(new Error(`${name} failed`));
      await Bun.sleep(0);
    },
  };
}

export const refused = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
