import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { commandLine } from "../../support/process.ts";

// `bun run up` in a folder like that of the repository: there is nothing to install, and what is built starts Gatehouse as it is tested.
// A program like npx starts it, by a shell that waits for Bun.
const up = join(import.meta.dir, "..", "..", "..", "src", "up", "index.ts");
const folder = sharedFolder();
const chapter = join(folder, "src", "docs", "start.md");
const likeNpx = `await Bun.spawn(["sh", "-c", "bun run up"], { stdio: ["ignore", "inherit", "inherit"] }).exited;\n`;
const building = `
  import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("dist", { recursive: true });
  writeFileSync("dist/gatehouse", process.env.TESTED_PROGRAM);
  chmodSync("dist/gatehouse", 0o755);
`;

const documenting = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("dist/docs", { recursive: true });
  writeFileSync("dist/docs/index.html", "the manual");
  console.log("documenting");
`;

interface Program {
  readonly pid: number;
  readonly command: string;
}

/** Returns the programs that run in a process group. */
function programsOf(group: number): readonly Program[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" || Number(ofGroup) !== group) return [];
      return [{ pid: Number(pid), command: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() }];
    } catch {
      return [];
    }
  });
}

let started: Bun.Subprocess<"ignore", "pipe", "ignore"> | undefined;
afterEach(async () => {
  if (started === undefined) return;
  for (const { pid } of programsOf(started.pid)) process.kill(pid, "SIGKILL");
  await started.exited;
  started = undefined;
});

/** Starts it. Resolves to the group of its programs and to what it prints, once `isThere` holds. */
async function start(isThere: (printed: string) => boolean, env: Readonly<Record<string, string>> = {}) {
  started = Bun.spawn([process.execPath, "npx.ts", "run", "up"], {
    cwd: folder,
    detached: true,
    env: {
      ...testEnvironment(folder),
      HOME: folder,
      PATH: process.env["PATH"] ?? "",
      TESTED_PROGRAM: `#!/bin/sh\nexec ${commandLine("app").join(" ")} "$@"\n`,
      ...env,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  let printed = "";
  const { stdout, pid: group } = started;
  const read = (async () => {
    for await (const chunk of stdout.pipeThrough(new TextDecoderStream())) printed += chunk;
  })();
  await eventually("what is waited for", () => isThere(printed));
  return {
    group,
    printed: () => printed,
    /** Resolves to all that was printed, once nothing is left that could print. */
    async whole(): Promise<string> {
      await read;
      return printed;
    },
  };
}

const pidOf = (group: number, command: RegExp): number => {
  const found = programsOf(group).find((program) => command.test(program.command));
  if (found === undefined) throw new Error(`${command} does not run: ${JSON.stringify(programsOf(group))}`);
  return found.pid;
};
const untilAllEnded = (group: number): Promise<void> =>
  eventually("the end of every program", () => programsOf(group).length === 0, 20_000);

beforeAll(async () => {
  await mkdir(join(folder, "data"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ scripts: { up: `bun ${up}` } }));
  await mkdir(join(folder, "src", "docs", "site"), { recursive: true });
  await writeFile(chapter, "# Manual");
  await writeFile(join(folder, "src", "docs", "site", "build.ts"), documenting);
  await writeFile(join(folder, "build.ts"), building);
  await writeFile(join(folder, "npx.ts"), likeNpx);
  await chmod(folder, 0o755);
});

const isServing = (printed: string): boolean => printed.includes('"message":"started"');

test("bun run up makes the documentation whose address the start prints, and anew once a chapter has changed", async () => {
  const made: boolean[] = [];
  for (const change of ["", "", "# Another manual"]) {
    // The clock of files may be coarser than a test is fast.
    if (change !== "") await writeFile(chapter, change).then(() => utimes(chapter, new Date(), Date.now() / 1_000 + 5));
    const { group, printed } = await start(isServing);
    made.push(printed().includes("documenting"));
    process.kill(pidOf(group, /npx\.ts/), "SIGTERM");
    await untilAllEnded(group);
  }
  expect(made).toEqual([true, false, true]);
});

describe("bun run up leaves nothing running", () => {
  test.each([
    ["SIGINT", "Ctrl-C, which every program gets", undefined],
    ["SIGHUP", "a terminal that was closed", undefined],
    ["SIGKILL", "whoever ends all of them at once", undefined],
    ["SIGTERM", "a program like npx, which passes nothing on", /npx\.ts/],
    ["SIGHUP", "a program like npx", /npx\.ts/],
    ["SIGKILL", "a program like npx", /npx\.ts/],
    ["SIGTERM", "the shell that it uses", /^sh -c/],
    ["SIGTERM", "Bun", /^bun run up/],
    ["SIGINT", "Bun", /^bun run up/],
    ["SIGKILL", "Bun", /^bun run up/],
  ] as const)("%s to %s", async (signal, _to, command) => {
    const { group, whole } = await start(isServing);
    expect(programsOf(group).length).toBeGreaterThanOrEqual(4);
    process.kill(command === undefined ? -group : pidOf(group, command), signal);
    await untilAllEnded(group);
    const isGentle = signal === "SIGTERM" || signal === "SIGINT" || command !== undefined;
    expect((await whole()).includes('"message":"stopped"')).toBe(isGentle);
  });

  test("nor does it start anything once it was ended while it built", async () => {
    const slowly = `${building}console.log("building"); await Bun.sleep(3_000);`;
    await writeFile(join(folder, "build.ts"), slowly);
    const { group, printed } = await start((text) => text.includes("building"));
    process.kill(pidOf(group, /npx\.ts/), "SIGTERM");
    await untilAllEnded(group);
    expect(printed()).not.toContain("started");
    await writeFile(join(folder, "build.ts"), building);
  });
});

test("bun run up ends with the code of the step that failed", async () => {
  await writeFile(join(folder, "build.ts"), "console.log('failing'); process.exit(3);");
  const { group } = await start((printed) => printed.includes("failing"));
  await untilAllEnded(group);
  await writeFile(join(folder, "build.ts"), building);
});
