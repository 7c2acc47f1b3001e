import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readBounded } from "../../core/pace/stream.ts";
import { accountOf, HostFailure, requireRoot, type Account, type Disk, type System } from "../system/index.ts";
import { lend } from "./given.ts";
import { heedStops, runInSandbox } from "./sandbox.ts";
import { takeIn } from "./taken.ts";

/** A file of the caller that a command reads or writes. */
export interface CallersFile {
  /** An absolute path, as the caller sees it. */
  readonly path: string;
  readonly way: "reads" | "writes";
  /** Endings of files that belong to it: they are read where they are there, and written where the command writes them. */
  readonly beside: readonly string[];
}

export interface Errand {
  /** The app whose services the command runs as. */
  readonly app: string;
  readonly binary: string;
  readonly files: readonly CallersFile[];
  /** Whether files that are there already are replaced. */
  readonly replace: boolean;
  /** The login of the caller, whom the services do not know. */
  readonly operator: string | undefined;
  /** Files that no output may replace. */
  readonly kept: readonly string[];
  /** Makes the line of the command, when the paths are known by which the sandbox has the files. */
  line(paths: readonly string[]): readonly string[];
  /** Prints what the command has said of files that it wrote. */
  tell(said: string): void;
  /** The variable that tells the command how its caller calls the folders of these files: pairs of both names, as JSON. */
  readonly foldersVariable: string;
}

const dataFolder = "/var/lib/gatehouse";
/** What a command says of what it wrote, which is short: the rows go into the file. */
const mostSaidBytes = 1024 ** 2;

/** Whether the services open a file themselves: those in their folder are theirs. */
const isTheirs = (path: string): boolean => path === dataFolder || path.startsWith(`${dataFolder}/`);

interface Handing extends Pick<Errand, "replace" | "kept"> {
  readonly account: Account;
  readonly disk: Disk;
}

/** Hands files of the caller over to the sandbox, and takes back what was written. */
async function createHandover({ account, disk, replace, kept }: Handing) {
  const base = await mkdtemp("/run/gatehouse-command-");
  await chmod(base, 0o711);
  const onDisk: string[] = [];
  const binds: (readonly [disk: string, seen: string])[] = [];
  const folders: (readonly [seen: string, callers: string])[] = [];
  const lent: Awaited<ReturnType<typeof lend>>[] = [];
  const makeOnDisk = async (): Promise<string> => {
    const made = await mkdtemp("/var/tmp/gatehouse-command-");
    onDisk.push(made);
    return made;
  };

  return {
    binds,
    folders,
    writes: (): boolean => lent.length > 0,

    /** Resolves to the path by which the sandbox has the file. */
    async hand({ path, way, beside }: CallersFile): Promise<string> {
      if (isTheirs(path)) return path;
      const seen = join(base, String(folders.length));
      folders.push([seen, dirname(path)]);
      if (way === "reads") {
        const toDisk = async (): Promise<string> => {
          const made = await makeOnDisk();
          binds.push([made, seen]);
          return made;
        };
        await takeIn({ path, beside }, { memory: seen, onDisk: toDisk }, account);
      } else {
        const place = await lend({ path, beside, replace, kept, account, disk, elsewhere: makeOnDisk });
        lent.push(place);
        await mkdir(seen, { mode: 0o700 });
        binds.push([place.folder, seen]);
      }
      return join(seen, basename(path));
    },

    async publish(): Promise<void> {
      for (const place of lent) await place.publish();
    },

    async end(): Promise<void> {
      for (const place of lent) await place.remove();
      for (const folder of [...onDisk, base]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a command as the services run, with files that are opened here, by its caller: the sandbox has a /tmp of its own, sees no home and
 * may write nowhere but to its data. Resolves to the exit code. What the command says of a file that it wrote is printed once the file is
 * in its place.
 */
export async function runErrand(system: System, errand: Errand): Promise<number> {
  const { app, binary, files, foldersVariable } = errand;
  const { run, disk } = system;
  requireRoot(system);
  const account = await accountOf("gatehouse");
  if (account === undefined) throw new HostFailure("there is no user gatehouse", `run ${app} host:install`);
  const stops = heedStops();
  const handover = await createHandover({ ...errand, account, disk });
  try {
    const paths: string[] = [];
    for (const file of files) paths.push(await handover.hand(file));
    if (stops.hasCome()) throw new HostFailure("it was stopped before it began", "run it again");
    const { output, exited } = runInSandbox({ run }, [binary, ...errand.line(paths)], {
      unit: `${app}-command-${randomBytes(8).toString("hex")}`,
      properties: handover.binds.map((pair) => `BindPaths=${pair.map(escaped).join(":")}`),
      env: {
        [foldersVariable]: JSON.stringify(handover.folders),
        ...(errand.operator !== undefined && { SUDO_USER: errand.operator }),
      },
      keepsOutput: handover.writes(),
      stops,
    });
    const tooLarge = (): Error => new HostFailure(`${app} printed too much`, "this is a bug of the command");
    const said = await readBounded(output, { mostBytes: mostSaidBytes, tooLarge });
    const code = await exited;
    if (code === 0) await handover.publish();
    if (said.length > 0) errand.tell(new TextDecoder().decode(said));
    return code;
  } finally {
    await handover.end();
    stops.forget();
  }
}

/** Writes a path as a setting of systemd, where blanks, quotes, backslashes and colons have a meaning. */
const escaped = (path: string): string => path.replaceAll(/[\s"'\\:]/g, (character) => `\\${character}`);
