import { type Clock, hour, type Millis, minute, second } from "../../core/clock.ts";
import type { AgeClock } from "../../core/clock.trust.ts";
import { settle } from "../../core/pace/deadline.ts";
import type { Database, Following } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { ArchiveOptions } from "../archive.ts";
import type { Installation } from "../names.ts";
import type { Vault } from "../vault.ts";
import { inWorkFolder, type WorkPlace } from "../work.folder.ts";
import { listCopies, superfluous } from "./history.ts";
import { encode } from "./object.ts";
import { createSeries, type Series } from "./series.ts";

export interface ShipperOptions {
  readonly database: Database;
  readonly installation: Installation;
  readonly vault: Vault;
  readonly place: WorkPlace;
  readonly examine: ArchiveOptions["examine"];
  /** How often what was changed goes to the disk. */
  readonly everyMs: number;
  /** How far back every state can be restored. */
  readonly keepMs: number;
  /** Is told up to which time everything is on the disk. */
  readonly onCopied?: ((at: Millis) => void) | undefined;
  readonly clock: Clock;
  readonly ages: AgeClock;
  readonly log: Log;
  /** How often it looks whether there is something to do. */
  readonly pollMs?: number;
  /** How long it rests after a copy that failed. */
  readonly restMs?: number;
}

/** A process that follows no database looks so often whether it may. */
const turnMs = 2 * second;
/** So many pages are collected before it is time to put them: the write-ahead log must not grow long. */
const manyPages = 250;
/** Nothing changed is told as well, so that a restore can say how old its state is. */
const silenceMs = 45 * second;
const copyEveryMs = 24 * hour;
const leastBytesForCopy = 4 * 1024 * 1024;
const mostDeleted = 5_000;
const stopMs = 3 * second;
const puttingFailed = "changes could not be copied";
const copyingFailed = "the database could not be copied";
const collectingFailed = "changes could not be collected";

/** Keeps a disk at most some seconds behind the database: copies at times, and between them the pages that were changed. */
export function createShipper(options: ShipperOptions) {
  const { database, installation, vault, place, examine, everyMs, keepMs, onCopied, clock, ages, log } = options;
  const { pollMs = 250, restMs = 30 * second } = options;
  const ended = new AbortController();
  let following: Following | undefined;
  let series: Series | undefined;
  let loop: Promise<void> | undefined;
  let putting: Promise<void> | undefined;
  let copying: Promise<void> | undefined;
  /** Of the state that was collected last. */
  let collectedAt: Millis = 0;
  let putAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let copied: { readonly at: Millis; readonly bytes: number } | undefined;
  let restUntil = Number.NEGATIVE_INFINITY;
  let isStopping = false;
  let wake: (() => void) | undefined;
  /** What has failed and not worked since: one line for an outage, not one for each try. */
  const failing = new Set<string>();

  function failed(what: string, error: unknown): void {
    if (ended.signal.aborted || failing.has(what)) return;
    log.error(what, { disk: vault.name, error });
    failing.add(what);
  }

  function worked(what: string): void {
    if (failing.delete(what)) log.info("continuous copies go on", { disk: vault.name });
  }

  function giveUp(why: string): void {
    if (series !== undefined) log.warn("continuous copies begin anew", { why });
    series = undefined;
  }

  async function collect(from: Following): Promise<void> {
    const at = clock.now();
    const changes = await from.collect();
    // The times of one series never go back. One that went on from a time in the future would be found by no restore until then.
    const isSetBack = at < collectedAt - minute;
    collectedAt = at;
    if (isSetBack) giveUp("the clock was set back");
    else if (changes === undefined) giveUp("it is not known any more what was changed");
    else if (series?.add(changes, at) === false) giveUp("more was changed than is kept until the disk takes it");
  }

  async function put(to: Series): Promise<void> {
    try {
      const at = await to.put(ended.signal);
      putAt = performance.now();
      worked(puttingFailed);
      if (at !== undefined && copied !== undefined) onCopied?.(at);
    } catch (error) {
      restUntil = performance.now() + restMs;
      failed(puttingFailed, error);
    }
  }

  const startPutting = (to: Series): Promise<void> =>
    (putting ??= put(to).finally(() => {
      putting = undefined;
    }));

  async function removeOld(): Promise<void> {
    const now = await ages.trusted();
    // What is old by then goes after the next copy.
    if (typeof now !== "number") return;
    const old = superfluous(await listCopies(vault, installation), now - keepMs);
    for (const { name, kind } of old.slice(0, mostDeleted)) await vault.delete(name, kind === "copy" ? "may" : "none");
  }

  /** Resolves when the copy lies on this host; from then on the database may change. It goes to the disk meanwhile. */
  async function startCopying(from: Following, to: Series): Promise<void> {
    const local = Promise.withResolvers<void>();
    const copy = inWorkFolder(place, async (path) => {
      const shape = await from.copy(path, ended.signal);
      const { head, name } = to.planCopy(shape, collectedAt);
      local.resolve();
      const { schema } = await examine(path);
      const file = await vault.put(name, encode(head, Bun.file(path).stream(), { key: vault.key }), {
        signal: ended.signal,
        about: { schema, series: head.series },
      });
      copied = { at: clock.now(), bytes: file.size };
      onCopied?.(head.at);
      log.info("database copied", { name: file.name, disk: vault.name, bytes: file.size });
    });
    copying = copy
      .then(() => {
        worked(copyingFailed);
        return removeOld();
      })
      .catch((error: unknown) => {
        restUntil = performance.now() + restMs;
        failed(copyingFailed, error);
      })
      .finally(() => {
        copying = undefined;
        local.resolve();
      });
    await local.promise;
  }

  function isCopyDue(to: Series): boolean {
    if (copying !== undefined || performance.now() < restUntil) return false;
    if (copied === undefined) return true;
    const { at, bytes } = copied;
    return clock.now() - at >= copyEveryMs || to.putSinceCopy() >= Math.max(bytes, leastBytesForCopy);
  }

  async function look(from: Following): Promise<void> {
    const now = performance.now();
    const isDue = now - lookedAt >= everyMs;
    if (series === undefined) {
      if (now < restUntil || copying !== undefined) return;
      await collect(from);
      series = createSeries(installation, vault, collectedAt);
      copied = undefined;
    } else if (isDue || from.waiting() >= manyPages) await collect(from);
    if (series === undefined) return;
    const isCopying = isCopyDue(series);
    if (isDue) lookedAt = now;
    const hasNews = series.hasPending() || series.isPutting() || now - putAt >= silenceMs;
    if ((isDue && hasNews) || (isCopying && series.hasPending())) void startPutting(series);
    if (!isCopying) return;
    await putting;
    if (!series.hasPending() && !series.isPutting()) await startCopying(from, series);
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        following ??= database.follow?.();
        if (following !== undefined) await look(following);
        worked(collectingFailed);
      } catch (error) {
        failed(collectingFailed, error);
      }
      if (!isStopping) await sleep(following === undefined ? turnMs : pollMs);
    }
  }

  /** What is committed goes to the disk before the process ends, if that takes a few seconds at most. */
  async function finish(): Promise<void> {
    if (following === undefined || series === undefined) return;
    await putting;
    await collect(following);
    if (series.hasPending()) await startPutting(series);
  }

  return {
    start: (): void => void (loop ??= run()),
    async stop(): Promise<void> {
      isStopping = true;
      wake?.();
      const late = setTimeout(() => ended.abort(new Error("the process ends")), stopMs);
      try {
        await loop;
        await settle(finish(), ended.signal, second);
      } catch (error) {
        log.warn("the last changes were not copied", { disk: vault.name, error });
      } finally {
        clearTimeout(late);
        ended.abort(new Error("the process ends"));
        await copying;
        following?.close();
        following = undefined;
      }
    },
  };
}
