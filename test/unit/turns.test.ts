import { describe, expect, test } from "bun:test";
import { createWork, Full, refusal, refused } from "../support/work.ts";
import { createTurns, createTurnsByKey } from "../../src/core/pace/turns.ts";

describe("turns", () => {
  test("so many run at once, the others in the order of arrival", async () => {
    const work = createWork();
    const turns = createTurns({ running: 2, waiting: 3, refusal });
    const results = ["a", "b", "c", "d", "e"].map((name) => turns.run(work.of(name)));
    expect(work.begun).toEqual(["a", "b"]);
    await work.end("b");
    expect(work.begun).toEqual(["a", "b", "c"]);
    await work.end("a");
    await work.end("c");
    await work.end("d");
    await work.end("e");
    expect(await Promise.all(results)).toEqual(["a", "b", "c", "d", "e"]);
    expect(turns.isIdle()).toBe(true);
  });

  test("one that finds no room is refused at once, and takes nobody's place", async () => {
    const work = createWork();
    const turns = createTurns({ running: 1, waiting: 1, refusal });
    const [first, second] = [turns.run(work.of("a")), turns.run(work.of("b"))];
    expect(await refused(turns.run(work.of("c")))).toBeInstanceOf(Full);
    await work.end("a");
    await work.end("b");
    expect(await Promise.all([first, second])).toEqual(["a", "b"]);
    expect(work.begun).toEqual(["a", "b"]);
  });

  test("without room for waiting whoever finds no place is refused", async () => {
    const work = createWork();
    const turns = createTurns({ running: 1, waiting: 0, refusal });
    const first = turns.run(work.of("a"));
    expect(await refused(turns.run(work.of("b")))).toBeInstanceOf(Full);
    await work.end("a");
    await first;
  });

  test("work that fails or throws gives its place on", async () => {
    const work = createWork();
    const turns = createTurns({ running: 1, waiting: 2, refusal });
    const failed = refused(turns.run(work.of("a")));
    const thrown = refused(
      turns.run(() => {
        throw new Error("thrown");
      }),
    );
    const last = turns.run(work.of("b"));
    await work.fail("a");
    expect([await failed, await thrown]).toEqual([new Error("a failed"), new Error("thrown")]);
    await work.end("b");
    expect(await last).toBe("b");
    expect(turns.isIdle()).toBe(true);
  });

  test("whoever comes as a place becomes free does not overtake one that waits", async () => {
    const work = createWork();
    const turns = createTurns({ running: 1, waiting: 5, refusal });
    const first = turns.run(async () => work.begun.push("a"));
    const waiting = turns.run(async () => work.begun.push("b"));
    const late = first.then(() => turns.run(async () => work.begun.push("c")));
    await Promise.all([first, waiting, late]);
    expect(work.begun).toEqual(["a", "b", "c"]);
  });

  test("never more than allowed, whatever comes and goes", async () => {
    const turns = createTurns({ running: 3, waiting: 20, refusal });
    let running = 0;
    let most = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await Bun.sleep(index % 7);
        return refused(
          turns.run(async () => {
            most = Math.max(most, (running += 1));
            await Bun.sleep(index % 3);
            running -= 1;
            if (index % 5 === 0) throw new Error("failed");
          }),
        );
      }),
    );
    expect(most).toBe(3);
    expect(running).toBe(0);
    expect(outcomes.some((outcome) => outcome instanceof Full)).toBe(true);
    expect(turns.isIdle()).toBe(true);
  });
});

test("keys have turns of their own", async () => {
  const work = createWork();
  const turns = createTurnsByKey({ running: 1, waiting: 1, refusal });
  const [ada, waiting, grace] = [
    turns.run("ada", work.of("a1")),
    turns.run("ada", work.of("a2")),
    turns.run("grace", work.of("g1")),
  ];
  expect(work.begun).toEqual(["a1", "g1"]);
  expect(await refused(turns.run("ada", work.of("a3")))).toBeInstanceOf(Full);
  await work.end("a1");
  await work.end("a2");
  await work.end("g1");
  expect(await Promise.all([ada, waiting, grace])).toEqual(["a1", "a2", "g1"]);
  const again = turns.run("ada", work.of("a4"));
  await work.end("a4");
  expect(await again).toBe("a4");
});
