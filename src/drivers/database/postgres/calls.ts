import { type DatabaseMetrics, DatabaseUnavailable } from "../index.ts";
import { isUnreached, translate } from "./errors.ts";

export const waitingLimit = 10_000;

export const unavailable = (why: string): DatabaseUnavailable => new DatabaseUnavailable(why);

interface CallsOptions {
  readonly name: string;
  readonly metrics: DatabaseMetrics | undefined;
  /** Called with what a call failed with. */
  readonly onFailure: (error: unknown) => void;
  /** Resolves to what is in the way of a connection, in words. */
  readonly wayOut: () => Promise<string | undefined>;
}

/** Counts the calls of a database while they are open, and bounds them. What one fails with names the database. */
export function createCalls({ name, metrics, onFailure, wayOut }: CallsOptions) {
  const open = { reading: 0, writing: 0 };
  let isClosed = false;
  let whenIdle: (() => void) | undefined;

  return {
    async counted<T>(
      kind: keyof typeof open,
      operation: Parameters<DatabaseMetrics["operation"]>[0],
      work: (since: number) => Promise<T>,
    ): Promise<T> {
      const since = performance.now();
      let ok = false;
      let isAsked = false;
      open[kind] += 1;
      try {
        if (isClosed) throw unavailable("it is closed");
        if (open[kind] > waitingLimit)
          throw unavailable(`${waitingLimit} ${kind === "reading" ? "reads" : "writes"} are waiting`);
        isAsked = true;
        const result = await work(since);
        ok = true;
        return result;
      } catch (error) {
        onFailure(error);
        const told = translate(name, error);
        const shut = isAsked && isUnreached(error) ? await wayOut() : undefined;
        throw shut === undefined || !(told instanceof Error) ? told : unavailable(`${told.message}; ${shut}`);
      } finally {
        open[kind] -= 1;
        metrics?.operation(operation)((performance.now() - since) / 1000, ok);
        if (open.reading + open.writing === 0) whenIdle?.();
      }
    },

    /** Refuses every call from now on. Resolves once none is open. */
    async close(): Promise<void> {
      isClosed = true;
      if (open.reading + open.writing > 0) await new Promise<void>((resolve) => (whenIdle = resolve));
    },
  };
}
