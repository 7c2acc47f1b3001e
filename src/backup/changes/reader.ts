import { timestamp, type Millis } from "../../core/clock.ts";
import { tagOf } from "../names.ts";
import { createVault, type VaultOptions } from "../vault.ts";
import { inWorkFolder, type Work, type WorkPlace } from "../work.folder.ts";
import { isSealed, listCopies, routeTo } from "./history.ts";
import { rebuild, type Rebuilt } from "./rebuild.ts";

interface ReaderOptions extends WorkPlace, VaultOptions {}

/** A series: what one process has copied from its start, or since it lost track, to its end. */
export type SeriesSummary = Awaited<ReturnType<ChangeReader["list"]>>[number];

/** Reads what continuous copies have left on a disk. */
export function createChangeReader(options: ReaderOptions) {
  const { installation } = options;
  const vault = createVault(options);

  return {
    async list() {
      const series = Map.groupBy(await listCopies(vault), ({ owner, series: name }) => `${owner}/${name}`);
      return [...series.values()].flatMap((files) => {
        const [first] = files;
        if (first === undefined) return [];
        const copies = files.filter(({ kind }) => kind === "copy");
        return {
          /** The tag of the installation. */
          owner: first.owner,
          series: first.series,
          /** The first and the last state that can be restored; undefined where the copy of the database is missing. */
          from: copies[0]?.at,
          to: routeTo(files, Number.POSITIVE_INFINITY)?.end.at,
          copies: copies.length,
          changes: files.length - copies.length,
          bytes: files.reduce((sum, { size }) => sum + size, 0),
          isEncrypted: files.every(isSealed),
        };
      });
    },

    /** Returns the time of the newest state; undefined where there is none. */
    newestAt: async (): Promise<Millis | undefined> =>
      routeTo(await listCopies(vault, installation), options.clock.now())?.end.at,

    /** Rebuilds the newest state that is not newer than `at`, for as long as `use` takes. Resolves to undefined where there is none. */
    async fetch<T>(at: Millis, work: Work, use: (path: string, state: Rebuilt) => Promise<T>): Promise<T | undefined> {
      const files = await listCopies(vault, installation);
      const route = routeTo(files, at);
      if (route === undefined) return undefined;
      return inWorkFolder(options, async (path) => use(path, await rebuild(vault, route, path, work)));
    },

    /** Says why there is nothing to fetch, in words for the operator. */
    async whyNothing(at: Millis): Promise<string> {
      const own = await listCopies(vault, installation);
      const first = own.find(({ kind }) => kind === "copy");
      if (first !== undefined)
        return `no copy on disk ${vault.name} is from before ${timestamp(Math.min(at, options.clock.now()))}: the first is from ${timestamp(first.at)}`;
      const others = new Set((await listCopies(vault)).map(({ owner }) => owner));
      const there =
        others.size === 0 ? "" : `; those of ${[...others].join(", ")} belong to another APP_KEY or APP_ENV`;
      return `there are no continuous copies of ${tagOf(installation)} on disk ${vault.name}${there}`;
    },
  };
}

export type ChangeReader = ReturnType<typeof createChangeReader>;
