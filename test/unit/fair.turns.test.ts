import { describe, expect, test } from "bun:test";
import { createFairTurns, type Place } from "../../src/core/pace/fair.turns.ts";
import { createWork, Full, refusal, refused } from "../support/work.ts";

/** Makes the place of a stranger. A task called `x1` is the first of the stranger at x. */
const at = (...path: string[]): Place => ({ path });
const known = (provenFor: string, ...path: string[]): Place => ({ path, provenFor });
const start = (running: number, waiting: number) => {
  const work = createWork();
  const turns = createFairTurns({ running, waiting, refusal });
  return {
    ...work,
    turns,
    run: (name: string, place: Place): Promise<unknown> => refused(turns.run(work.of(name), place)),
    async endAll(...names: readonly string[]): Promise<void> {
      for (const name of names) await work.end(name);
    },
  };
};

describe("turns of strangers", () => {
  test("go to one group after the other", async () => {
    const { run, begun, endAll } = start(1, 10);
    const names = ["x1", "x2", "x3", "x4", "y1", "z1", "y2"];
    const results = names.map((name) => run(name, at(name.slice(0, 1))));
    await endAll("x1", "x2", "y1", "z1", "x3", "y2", "x4");
    expect(begun).toEqual(["x1", "x2", "y1", "z1", "x3", "y2", "x4"]);
    await Promise.all(results);
  });

  test("go to groups within groups alike: many small ones are one large one", async () => {
    const { run, begun, endAll } = start(1, 10);
    const results = [
      run("first", at("b", "b")),
      ...["1", "2", "3", "4"].map((each) => run(`a${each}`, at("a", each))),
      run("b1", at("b", "1")),
      run("b2", at("b", "1")),
    ];
    await endAll("first", "a1", "b1", "a2", "b2", "a3", "a4");
    expect(begun).toEqual(["first", "a1", "b1", "a2", "b2", "a3", "a4"]);
    await Promise.all(results);
  });

  test("where there is no room, the newest of the largest group goes, at every level", async () => {
    const { run, begun, endAll } = start(1, 4);
    const first = run("a0", at("a", "0"));
    const large = ["1", "2", "3", "1"].map((each, index) => run(`a${index + 1}`, at("a", each)));
    const other = run("b1", at("b", "1"));
    expect(await large[3]).toBeInstanceOf(Full);
    expect(await run("a5", at("a", "4"))).toBeInstanceOf(Full);
    await endAll("a0", "a1", "b1", "a2", "a3");
    expect(begun).toEqual(["a0", "a1", "b1", "a2", "a3"]);
    expect(await other).toBeUndefined();
    await first;
  });

  test("of groups that are equally large nobody goes for a newcomer of one of them", async () => {
    const { run, endAll } = start(1, 3);
    const results = ["x1", "x2", "y1", "y2"].map((name) => run(name, at(name.slice(0, 1))));
    expect(await run("x3", at("x"))).toBeInstanceOf(Full);
    await endAll("x1", "x2", "y1", "y2");
    expect(await Promise.all(results)).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe("turns of those who have proven something", () => {
  test("every other one is theirs while strangers wait, with one place", async () => {
    const { run, begun, endAll } = start(1, 10);
    const results = [
      ...["s1", "s2", "s3"].map((name) => run(name, at(name))),
      ...["p1", "p2", "p3"].map((name) => run(name, known(name, "x"))),
    ];
    await endAll("s1", "p1", "s2", "p2", "s3", "p3");
    expect(begun).toEqual(["s1", "p1", "s2", "p2", "s3", "p3"]);
    await Promise.all(results);
  });

  test("a half of the running places is theirs while they wait, however long the others run", async () => {
    const { run, begun, endAll } = start(4, 20);
    const strangers = Array.from({ length: 10 }, (_, index) => run(`s${index}`, at(`s${index}`)));
    const proven = Array.from({ length: 6 }, (_, index) => run(`p${index}`, known(`p${index}`, "x")));
    await endAll("s0", "s1", "p0", "p1", "p2", "p3");
    expect(begun).toEqual(["s0", "s1", "s2", "s3", "p0", "p1", "p2", "p3", "p4", "p5"]);
    await endAll("s2", "s3", "p4", "p5", "s4", "s5", "s6", "s7", "s8", "s9");
    await Promise.all([...strangers, ...proven]);
  });

  test("what they do not need the strangers have, until it is needed: then the newest stranger goes", async () => {
    const { run, turns, endAll } = start(1, 4);
    const strangers = Array.from({ length: 5 }, (_, index) => run(`s${index}`, at(`s${index}`)));
    expect(turns.hasRoom(at("s9"))).toBe(false);
    expect(turns.hasRoom(known("p0"))).toBe(true);
    const proven = ["p0", "p1"].map((name) => run(name, known(name)));
    expect((await Promise.all(strangers.slice(3))).every((outcome) => outcome instanceof Full)).toBe(true);
    // Each side has its half now, and neither takes from the other.
    expect(turns.hasRoom(known("p2"))).toBe(false);
    expect(await run("p2", known("p2"))).toBeInstanceOf(Full);
    expect(await run("s9", at("s9"))).toBeInstanceOf(Full);
    await endAll("s0", "p0", "s1", "p1", "s2");
    await Promise.all([...strangers, ...proven]);
  });

  test("strangers get back what the others have of their half", async () => {
    const { run, turns, endAll } = start(1, 4);
    const first = run("p0", known("p0"));
    const proven = ["p1", "p2", "p3", "p4"].map((name) => run(name, known(name)));
    expect(turns.hasRoom(at("s1"))).toBe(true);
    const strangers = ["s1", "s2"].map((name) => run(name, at(name)));
    expect((await Promise.all(proven.slice(2))).every((outcome) => outcome instanceof Full)).toBe(true);
    expect(turns.hasRoom(at("s3"))).toBe(false);
    expect(await run("s3", at("s3"))).toBeInstanceOf(Full);
    await endAll("p0", "s1", "p1", "s2", "p2");
    const served = await Promise.all([first, ...proven.slice(0, 2), ...strangers]);
    expect(served.filter((outcome) => outcome !== undefined)).toEqual([]);
  });

  test("one of them has one place at a time, running or waiting: what comes meanwhile takes turns with strangers", async () => {
    const { run, turns, begun, endAll } = start(1, 3);
    const results = [run("p1", known("p", "x")), run("p2", known("p", "x")), run("p3", known("p", "x"))];
    results.push(run("y1", at("y")));
    const q = run("q1", known("q", "z"));
    // The newest task of the largest group of strangers is refused, which is that of p's address.
    expect(await results[2]).toBeInstanceOf(Full);
    await endAll("p1", "p2", "q1", "y1");
    expect(begun).toEqual(["p1", "p2", "q1", "y1"]);
    await Promise.all([...results, q]);
    // The place of p is free again.
    const again = [run("p4", known("p", "x")), run("p5", known("p", "x")), run("y2", at("y")), run("y3", at("y"))];
    expect(turns.hasRoom(known("p", "x"))).toBe(false);
    expect(turns.hasRoom(known("r", "x"))).toBe(true);
    await endAll("p4", "p5", "y2", "y3");
    await Promise.all(again);
  });

  test("one that was refused is not taken for one that waits", async () => {
    const { run, turns, begun, endAll } = start(1, 0);
    const first = run("s", at("s"));
    expect(await run("p1", known("p"))).toBeInstanceOf(Full);
    await endAll("s");
    await first;
    const next = run("p2", known("p"));
    expect(begun).toEqual(["s", "p2"]);
    expect(turns.hasRoom(known("p"))).toBe(false);
    await endAll("p2");
    await next;
  });
});

test("never more than allowed, whoever comes and goes, and work that fails gives its place on", async () => {
  const turns = createFairTurns({ running: 3, waiting: 20, refusal });
  let running = 0;
  let most = 0;
  const outcomes = await Promise.all(
    Array.from({ length: 120 }, async (_, index) => {
      await Bun.sleep(index % 7);
      const place = index % 3 === 0 ? known(`p${index % 12}`, "x") : at(`a${index % 4}`, `b${index % 5}`);
      const work = async (): Promise<void> => {
        most = Math.max(most, (running += 1));
        await Bun.sleep(index % 3);
        running -= 1;
        if (index % 5 === 0) throw new Error("failed");
      };
      return refused(turns.run(work, place));
    }),
  );
  expect(most).toBe(3);
  expect(running).toBe(0);
  expect(outcomes.some((outcome) => outcome instanceof Full)).toBe(true);
  // Nobody holds a place any more, so three run at once again.
  const ends = Promise.withResolvers<void>();
  const last = [1, 2, 3].map((each) => turns.run(async () => ends.promise.then(() => each), known("p0", "x")));
  expect(turns.hasRoom(at("y"))).toBe(true);
  ends.resolve();
  expect(await Promise.all(last)).toEqual([1, 2, 3]);
});
