import { afterAll, expect, test } from "bun:test";
import { readlink, symlink } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { makeScratchHost, watched, type ScratchHost } from "../../support/scratch.host.ts";

const made: ScratchHost[] = [];
afterAll(async () => {
  for (const host of made) await host.remove();
});

/** Makes a host on which grace serves, with ada as the release before. */
async function settled(sync?: (path: string) => Promise<void>): Promise<ScratchHost> {
  const host = await makeScratchHost(sync === undefined ? {} : { sync });
  made.push(host);
  for (const build of ["ada", "grace", "linus"]) await host.upload(build);
  await host.upload("bad", "gatehouse 0.1.0 (bad)\ncrashing\n");
  expect(await host.run("activate", "ada")).toMatchObject({ done: true });
  await host.boot();
  expect(await host.run("activate", "grace")).toMatchObject({ done: true });
  return host;
}

const both = (release: string): string[] => [release, release];
const afterLinus = {
  current: "0.1.0-linus",
  previous: "0.1.0-grace",
  runs: both("0.1.0-linus"),
  releases: ["0.1.0-grace", "0.1.0-linus"],
  others: [],
};
const asBefore = { current: "0.1.0-grace", previous: "0.1.0-ada", runs: both("0.1.0-grace"), others: [] };

/**
 * Runs a command that is gone, with everything else on the host, when it makes its nth call. Resolves to the name of that call, which is
 * empty where the command ended before.
 */
async function cutAt(host: ScratchHost, call: number, act: "activate" | "rollback", build: string): Promise<string> {
  const cut = Promise.withResolvers<string>();
  let calls = 0;
  const system = watched(host.system, async (name) => {
    calls += 1;
    if (calls < call) return;
    cut.resolve(name);
    // Nobody goes on from here.
    await new Promise<never>(() => {});
  });
  return Promise.race([cut.promise, host.run(act, build, system).then(() => "")]);
}

/** Cuts the command at each of its calls, on a host of its own each time. */
async function eachCut(
  act: "activate" | "rollback",
  build: string,
  look: (host: ScratchHost, at: string) => Promise<void>,
) {
  const seen: string[] = [];
  for (let call = 1; ; call += 1) {
    const host = await settled();
    const at = await cutAt(host, call, act, build);
    if (at === "") break;
    seen.push(at);
    await host.boot();
    await look(host, `${call}: ${at}`);
  }
  return seen;
}

test("R-46 wherever a power cut comes in a release, the same command leads to its end", async () => {
  const seen = await eachCut("activate", "linus", async (host, at) => {
    expect({ at, ...(await host.look()) }).toMatchObject({
      current: expect.stringMatching(/^0\.1\.0-(?:grace|linus)$/),
    });
    // Files that a call leaves which was cut off in its middle.
    await symlink("releases/nowhere", join(host.places.root, "current.0123456789ab.new"));
    await Bun.write(join(host.places.root, "unfinished.json.0123456789ab.new"), "{");
    await Bun.write(join(host.places.releases, ".staging.half", "gatehouse"), "gateh");
    expect({ at, ...(await host.run("activate", "linus")) }).toMatchObject({ at, done: true });
    expect({ at, ...(await host.look()) }).toEqual({ at, ...afterLinus });
  });
  expect(seen).toContain("disk.link");
  expect(seen.length).toBeGreaterThan(30);
});

test("R-46 wherever a power cut comes in a release that does not start, the same command and a rollback lead back", async () => {
  await eachCut("activate", "bad", async (host, at) => {
    const again = await host.run("activate", "bad");
    expect({ at, ...again }).toEqual({ at, done: false, output: expect.stringContaining("did not become ready") });
    expect({ at, ...(await host.look()) }).toMatchObject({ at, ...asBefore });
  });
  await eachCut("activate", "bad", async (host, at) => {
    expect({ at, ...(await host.run("activate", "grace")) }).toMatchObject({ at, done: true });
    expect({ at, ...(await host.look()) }).toEqual({ at, ...asBefore, releases: ["0.1.0-ada", "0.1.0-grace"] });
  });
  await eachCut("activate", "bad", async (host, at) => {
    const { current, others } = await host.look();
    if (!others.includes("unfinished.json")) return expect({ at, current }).toEqual({ at, current: "0.1.0-grace" });
    expect({ at, ...(await host.run("restart")) }).toEqual({
      at,
      done: false,
      output: expect.stringContaining("was cut off"),
    });
    expect({ at, ...(await host.run("rollback")) }).toMatchObject({ at, done: true });
    expect({ at, ...(await host.look()) }).toMatchObject({ at, ...asBefore });
  });
});

test("R-46 wherever a power cut comes in a rollback, the same command and the next release lead on", async () => {
  await eachCut("rollback", "", async (host, at) => {
    const { current, others } = await host.look();
    // A rollback that is over is not begun again by mistake: nothing comes before it.
    if (current === "0.1.0-ada" && others.length === 0) return;
    expect({ at, ...(await host.run("rollback")) }).toMatchObject({ at, done: true });
    expect({ at, ...(await host.look()) }).toMatchObject({
      at,
      current: "0.1.0-ada",
      runs: both("0.1.0-ada"),
      others: [],
    });
  });
  await eachCut("rollback", "", async (host, at) => {
    expect({ at, ...(await host.run("activate", "linus")) }).toMatchObject({ at, done: true });
    expect({ at, ...(await host.look()) }).toMatchObject({ at, current: "0.1.0-linus", others: [] });
  });
});

test("R-47 whatever a link is about to name is on the disk", async () => {
  const synced: string[] = [];
  let root = "";
  const host = await settled(async (path) => {
    const current = await readlink(join(root, "current")).catch(() => "");
    const name = relative(root, path)
      .replace(/\.staging\.\w+/, "staged")
      .replace(/\.[0-9a-f]{12}\.new/, " aside");
    synced.push(`${basename(current)}: ${name || "."}`);
  });
  ({ root } = host.places);
  synced.length = 0;
  await host.run("activate", "linus");
  expect(synced.slice(2)).toEqual([
    "0.1.0-grace: releases/staged/gatehouse",
    "0.1.0-grace: releases/staged/gatehouse.sha256 aside",
    "0.1.0-grace: releases/staged",
    "0.1.0-grace: releases/staged",
    // The release is now named by its version.
    "0.1.0-grace: releases",
    "0.1.0-grace: unfinished.json aside",
    "0.1.0-grace: .",
    // `previous` now names grace.
    "0.1.0-grace: .",
    // `current` now names linus.
    "0.1.0-linus: .",
    // Linus runs, and is no longer under way.
    "0.1.0-linus: .",
    // Ada is moved aside, to be removed.
    "0.1.0-linus: releases",
  ]);
});

test("R-49 a disk that is full at any step ends a release with one sentence, and leaves what was there", async () => {
  for (let call = 1; ; call += 1) {
    const host = await settled();
    let calls = 0;
    let at = "";
    const system = watched(host.system, async (name) => {
      if (!name.startsWith("disk.") || name === "disk.remove") return;
      calls += 1;
      if (calls !== call) return;
      at = name;
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    });
    const { done, output } = await host.run("activate", "linus", system);
    if (at === "") break;
    expect({ at, done, output }).toEqual({
      at,
      done: false,
      output: expect.stringMatching(/the disk of \S+ is full\n/),
    });
    expect(output).toContain("what to do: make room there, then run this again");
    const { current, runs } = await host.look();
    expect({ at, runs }).toEqual({ at, runs: both(current) });
    expect({ at, ...(await host.run("activate", "linus")) }).toMatchObject({ at, done: true });
    expect({ at, ...(await host.look()) }).toEqual({ at, ...afterLinus });
  }
});
