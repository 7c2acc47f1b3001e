import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createReleases, placesOf, type System } from "../../src/host/index.ts";
import { createDisk, syncToDisk } from "../../src/host/system/disk.ts";
import { createPrograms } from "../../src/host/system/programs.ts";

const app = "gatehouse";
const units = ["gatehouse-api@1.service", "gatehouse-api@2.service"];
const port = 3000;
const quick = { settleMs: 0, readyWithinMs: 50, smoke: { path: "/api/v1/hello", status: 401 } };

/** The output of one run, and whether it succeeded. */
export interface Told {
  readonly done: boolean;
  readonly output: string;
}

interface ScratchOptions {
  readonly sync?: (path: string) => Promise<void>;
}

/**
 * Makes a host in a folder: its files and links are real, its services are not. A binary is a text that names itself; one that contains
 * `crashing` never serves.
 */
export async function makeScratchHost({ sync = syncToDisk }: ScratchOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-host-"));
  const places = placesOf(app, folder);
  await mkdir(places.run, { recursive: true });
  const running = new Map<number, string>();
  const pids = new Map<string, number>();
  let lastPid = 100;

  async function start(unit: string): Promise<boolean> {
    running.delete(pids.get(unit) ?? 0);
    pids.delete(unit);
    const binary = await realpath(join(places.root, "current", app)).catch(() => "");
    const text = await readFile(binary, "utf8").catch(() => "crashing");
    if (text.includes("crashing")) return false;
    lastPid += 1;
    pids.set(unit, lastPid);
    running.set(lastPid, binary);
    return true;
  }

  const ran = (code: number, output = "") => ({ code, output, complaint: "" });
  const system: System = {
    run: createPrograms(),
    disk: createDisk(sync),
    isRoot: () => true,
    line: undefined,
    takeLock: () => () => {},
    openJournal: () => ({ write() {}, end: async () => {} }),
    openInstance: async () => ({
      localPort: 1,
      get: async (path) => ({ status: path === "/-/ready" ? 200 : 401, body: "" }),
      close() {},
    }),
    processes: {
      executableOf: async (pid) => running.get(pid),
      startedAt: async () => undefined,
      environmentOf: async () => new Map(),
      listenersOf: async () => [{ hosts: ["127.0.0.1"], port }],
      holdersOf: async () => [],
      hasConnection: async () => true,
    },
    systemd: {
      check: async () => {},
      list: async () => (pids.size === 0 ? [] : units),
      state: async (unit) => ({ active: pids.has(unit) ? "active" : "failed", mainPid: pids.get(unit) ?? 0 }),
      act: async (verb, [unit = ""]) => ran(verb !== "restart" || (await start(unit)) ? 0 : 1),
      journal: async () => [],
      runAsService: async (_app, [binary, asked]) =>
        ran(0, asked === "--version" ? ((await readFile(binary, "utf8")).split("\n")[0] ?? "") : ""),
    },
  };

  async function run(act: "activate" | "rollback" | "restart", build = "", on: System = system): Promise<Told> {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const releases = createReleases({
      app,
      system: on,
      places,
      audience: { say, complain: say, isInterrupted: () => false },
    });
    const path = join(folder, build, app);
    const done =
      act === "activate"
        ? await releases.activate({ ...quick, source: { bytes: path, path }, createDatabase: false })
        : await releases[act](quick);
    return { done, output: lines.join("\n") };
  }

  return {
    folder,
    places,
    system,
    run,
    remove: () => rm(folder, { recursive: true, force: true }),

    /** Writes a binary and its checksum, as if uploaded. */
    async upload(build: string, text = `${app} 0.1.0 (${build})\n`): Promise<string> {
      const path = join(folder, build, app);
      await mkdir(join(folder, build), { recursive: true });
      await Bun.write(path, text);
      await Bun.write(`${path}.sha256`, `${new Bun.CryptoHasher("sha256").update(text).digest("hex")}  ${app}\n`);
      return path;
    },

    /** Starts every service with what `current` names, as after a power cut. */
    async boot(): Promise<void> {
      for (const unit of units) await start(unit);
      for (const unit of units) pids.set(unit, pids.get(unit) ?? 0);
    },

    /** Returns the targets of the links, the running releases, and all other files. */
    async look() {
      const link = (name: string): Promise<string> => readlink(join(places.root, name)).then(basename, () => "");
      return {
        current: await link("current"),
        previous: await link("previous"),
        runs: units.map((unit) => basename(join(running.get(pids.get(unit) ?? 0) ?? "", ".."))),
        releases: (await readdir(places.releases)).toSorted(),
        others: (await readdir(places.root)).filter((name) => !["current", "previous", "releases"].includes(name)),
      };
    },
  };
}

export type ScratchHost = Awaited<ReturnType<typeof makeScratchHost>>;

/** A system in which every call that does something goes through `step` first. */
export function watched(system: System, step: (name: string) => Promise<void>): System {
  const around = <T extends object>(part: T, label: string): T =>
    new Proxy(part, {
      get(target, name, receiver) {
        const found: unknown = Reflect.get(target, name, receiver);
        if (typeof found !== "function") return found;
        return async (...args: unknown[]): Promise<unknown> => {
          await step(`${label}.${String(name)}`);
          return Reflect.apply(found, target, args);
        };
      },
    });
  return { ...system, disk: around(system.disk, "disk"), systemd: around(system.systemd, "systemd") };
}
