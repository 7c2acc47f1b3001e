// Measures each migration since 0.2.0 on a million accounts, for the table "How long migrations take" of the manual:
//
//   bun test/release/million.process.ts [sqlite | postgres]
//
// A process of its own writes all the time, as one does that serves, and says how long its longest write waited.
import { SQL } from "bun";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { type DatabaseSettings, openDatabase } from "../../src/drivers/database/open.ts";
import { testEnvironment } from "../support/environment.ts";
import { createRecordingLog } from "../support/log.ts";
import { startPostgres } from "../support/postgres.ts";
import { takeEarlier, type Earlier } from "./earlier.ts";
import { fillFile, fillServer } from "./million.ts";

const [kind = "sqlite", given] = process.argv.slice(2);
const log = createRecordingLog();
const pauseMs = 2;

/** Writes until its parent goes, and answers each message with how long the longest write since the last one took. */
async function write(settings: DatabaseSettings): Promise<void> {
  const { database } = openDatabase(settings, { create: false, log });
  const ids = await database.all<{ id: string }>("select id from auth_sessions order by id limit 1000");
  let longestMs = 0;
  let since = performance.now();
  process.on("message", () => {
    process.send?.(Math.max(longestMs, performance.now() - since));
    longestMs = 0;
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.(0);
  for (let round = 0; ; round += 1) {
    const id = ids[round % ids.length]?.id ?? "";
    since = performance.now();
    await database.run("update auth_sessions set last_seen_at = last_seen_at + 1 where id = $id", { id });
    longestMs = Math.max(longestMs, performance.now() - since);
    await Bun.sleep(pauseMs);
    since = performance.now();
  }
}

function startWriting(settings: DatabaseSettings) {
  let heard: ((longestMs: number) => void) | undefined;
  const next = (): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>();
    heard = resolve;
    return promise;
  };
  const begun = next();
  const child = Bun.spawn([process.execPath, import.meta.path, "write", JSON.stringify(settings)], {
    stdio: ["ignore", "inherit", "inherit"],
    ipc: (longestMs: number) => heard?.(longestMs),
  });
  return {
    begun,
    async longestMs(): Promise<number> {
      const answer = next();
      child.send("how long");
      return answer;
    },
    async stop(): Promise<void> {
      child.disconnect();
      await child.exited;
    },
  };
}

const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

async function measure(settings: DatabaseSettings): Promise<void> {
  const { database, indexing } = openDatabase(settings, { create: false, patient: true, log });
  const migrator = createMigrator({ database, migrations, clock: systemClock, indexing });
  const writing = startWriting(settings);
  await writing.begun;
  console.log(`| migration | ${kind} takes | longest write | load |\n|---|---|---|---|`);
  for (;;) {
    await Bun.sleep(500);
    await writing.longestMs();
    const since = performance.now();
    const [step] = await migrator.up({ step: 1 });
    const tookMs = performance.now() - since;
    if (step === undefined) break;
    const longest = inSeconds(await writing.longestMs());
    console.log(`| \`${step.id}\` | ${inSeconds(tookMs)} | ${longest} | ${loadavg()[0]?.toFixed(1)} |`);
  }
  await writing.stop();
  await database.close();
}

async function measureFile(earlier: Earlier, folder: string): Promise<void> {
  const path = join(folder, "million.db");
  await earlier.run(["migrate", "--create"], folder, { ...testEnvironment(folder), DB_DATABASE: path });
  fillFile(path);
  await measure({ driver: "sqlite", path });
}

async function measureServer(earlier: Earlier, folder: string): Promise<void> {
  const postgres = await startPostgres({ settings: { shared_buffers: "512MB", max_wal_size: "4GB" } });
  try {
    const { url } = await postgres.createDatabase();
    await earlier.run(["migrate"], folder, { ...testEnvironment(folder), DB_DRIVER: "postgres", DB_URL: url });
    const sql = new SQL(url, { max: 1 });
    await fillServer(sql);
    await sql.close();
    await measure({ driver: "postgres", path: "", url });
  } finally {
    await postgres.stop();
  }
}

if (kind === "write") await write(JSON.parse(given ?? ""));
else {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-measured-"));
  const earlier = await takeEarlier("0.2.0");
  try {
    await (kind === "postgres" ? measureServer : measureFile)(earlier, folder);
  } finally {
    await earlier.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
