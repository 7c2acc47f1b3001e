import { second, type Clock, type Millis } from "../../core/clock.ts";
import type { AgeClock } from "../../core/clock.trust.ts";
import { settle } from "../../core/pace/deadline.ts";
import { createPause } from "../../core/pace/pause.ts";
import type { ChangeCapability, Following } from "../../drivers/database/index.ts";
import type { Log } from "../../observe/index.ts";
import type { ArchiveOptions } from "../archive.ts";
import type { Installation } from "../names.ts";
import type { Vault } from "../vault.ts";
import { inWorkFolder, type WorkPlace } from "../work.folder.ts";
import * as course from "./course.ts";
import { listCopies, superfluous } from "./history.ts";
import { encode } from "./object.ts";
import { createSeries, type Series } from "./series.ts";

export interface ShipperOptions {
  readonly changes: ChangeCapability;
  readonly installation: Installation;
  readonly vault: Vault;
  readonly place: WorkPlace;
  readonly examine: ArchiveOptions["examine"];
  /** How often changes go to the disk. */
  readonly everyMs: number;
  /** How far back every state can be restored. */
  readonly keepMs: number;
  /** Called with the time up to which everything is on the disk. */
  readonly onCopied?: ((at: Millis) => void) | undefined;
  readonly clock: Clock;
  readonly ages: AgeClock;
  readonly log: Log;
  /** How often the shipper looks whether there is something to do. */
  readonly pollMs?: number;
  /** How long no copy begins after a failure. */
  readonly restMs?: number;
}

/** How often a process that follows no database tries to. */
const turnMs = 2 * second;
const mostDeleted = 5_000;
const stopMs = 3 * second;
const failureOf: Readonly<Record<course.Work, string>> = {
  collecting: "changes could not be collected",
  putting: "changes could not be copied",
  copying: "the database could not be copied",
};

/** Keeps a disk at most some seconds behind the database: puts a copy at times, and between copies the pages that were changed. */
export function createShipper(options: ShipperOptions) {
  const { changes, installation, vault, place, examine, everyMs, keepMs, onCopied, clock, ages, log } = options;
  const { pollMs = 250, restMs = 30 * second } = options;
  const pause = createPause();
  const ended = new AbortController();
  let state = course.atFirst;
  let following: Following | undefined;
  let series: Series | undefined;
  let loop: Promise<void> | undefined;
  let putting: Promise<void> | undefined;
  let copying: Promise<void> | undefined;

  function happened(happening: course.Happening): void {
    state = course.next(state, happening);
  }

  function failed(work: course.Work, error: unknown, restUntil = 0): void {
    const isKnown = state.failing.has(work);
    happened({ kind: "failed", work, restUntil });
    if (!isKnown && !ended.signal.aborted) log.error(failureOf[work], { disk: vault.name, error });
  }

  function worked(work: course.Work): void {
    if (!state.failing.has(work)) return;
    happened({ kind: "worked", work });
    log.info("continuous copies go on", { disk: vault.name });
  }

  function giveUp(why: string): void {
    if (series !== undefined) log.warn("continuous copies begin anew", { why });
    series = undefined;
  }

  async function collect(from: Following): Promise<void> {
    const at = clock.now();
    const changes = await from.collect();
    const isSetBack = course.isSetBack(state, at);
    happened({ kind: "collected", at });
    if (isSetBack) giveUp("the clock was set back");
    else if (changes === undefined) giveUp("it is not known any more what was changed");
    else if (series?.add(changes, at) === false) giveUp("more was changed than is kept until the disk takes it");
  }

  async function put(to: Series): Promise<void> {
    try {
      const at = await to.put(ended.signal);
      happened({ kind: "put", now: performance.now() });
      worked("putting");
      if (at !== undefined && state.copied !== undefined) onCopied?.(at);
    } catch (error) {
      failed("putting", error, performance.now() + restMs);
    }
  }

  const startPutting = (to: Series): Promise<void> =>
    (putting ??= put(to).finally(() => {
      putting = undefined;
    }));

  async function removeOld(): Promise<void> {
    const now = await ages.trusted();
    // Nothing is removed while the clock can't be trusted: what is old goes after a later copy.
    if (typeof now !== "number") return;
    const old = superfluous(await listCopies(vault, installation), now - keepMs);
    for (const { name, kind } of old.slice(0, mostDeleted)) await vault.delete(name, kind === "copy" ? "may" : "none");
  }

  /** Resolves when the copy lies on this host: from then on the database may change while the copy goes to the disk. */
  async function startCopying(from: Following, to: Series): Promise<void> {
    const local = Promise.withResolvers<void>();
    const copy = inWorkFolder(place, async (path) => {
      const shape = await from.copy(path, ended.signal);
      const { head, name } = to.planCopy(shape, state.collectedAt);
      local.resolve();
      const { schema } = await examine(path);
      const file = await vault.put(name, encode(head, Bun.file(path).stream(), { key: vault.key }), {
        signal: ended.signal,
        about: { schema, series: head.series },
      });
      happened({ kind: "copied", at: clock.now(), bytes: file.size });
      onCopied?.(head.at);
      log.info("database copied", { name: file.name, disk: vault.name, bytes: file.size });
    });
    happened({ kind: "copying" });
    copying = copy
      .then(() => {
        worked("copying");
        return removeOld();
      })
      .catch((error: unknown) => failed("copying", error, performance.now() + restMs))
      .finally(() => {
        happened({ kind: "copy ended" });
        local.resolve();
      });
    await local.promise;
  }

  async function look(from: Following): Promise<void> {
    const now = performance.now();
    const due = course.isDue(state, now, everyMs);
    if (series === undefined) {
      if (!course.mayBegin(state, now)) return;
      await collect(from);
      series = createSeries(installation, vault, state.collectedAt);
      happened({ kind: "series begun" });
    } else if (course.collects(state, now, everyMs, from.waiting())) await collect(from);
    if (series === undefined) return;
    const isCopying = course.copies(state, series, now, clock.now());
    if (due) happened({ kind: "looked", now });
    if (course.puts(state, series, now, { due, copying: isCopying })) void startPutting(series);
    if (!isCopying) return;
    await putting;
    if (!series.hasPending() && !series.isPutting()) await startCopying(from, series);
  }

  async function run(): Promise<void> {
    while (!pause.isCancelled()) {
      try {
        following ??= changes.follow();
        if (following !== undefined) await look(following);
        worked("collecting");
      } catch (error) {
        failed("collecting", error);
      }
      await pause.rest(following === undefined ? turnMs : pollMs);
    }
  }

  /** Puts what is committed on the disk before the process ends, if that takes a few seconds at most. */
  async function finish(): Promise<void> {
    if (following === undefined || series === undefined) return;
    await putting;
    await collect(following);
    if (series.hasPending()) await startPutting(series);
  }

  return {
    start: (): void => void (loop ??= run()),
    async stop(): Promise<void> {
      pause.cancel();
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
