export class Full extends Error {}
export const refusal = (): Error => new Full("no room");

/** Makes work that goes on until told to end, and remembers the order in which it began. */
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
    /** Ends one piece of work, and lets its consequences happen. */
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
