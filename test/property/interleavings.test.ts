import { expect, test } from "bun:test";
import fc from "fast-check";
import { keepsRowsInFile } from "../support/engine.ts";
import { createInterleaver, pauses, type Interleaver } from "./interleaver.ts";
import { programs, type Program, type Step } from "./program.ts";
import { longestSearchMs, searchOptions, searchSeconds } from "./search.ts";
import { everyInterleaving, seededChoice } from "./turns.ts";

// The tests take half a minute on an idle machine, and many times that on a busy one.
const limitMs = 600_000;

/** A step takes far longer where it is sent to a server: only the first interleavings of each program are tried there. */
const mostOfPair = keepsRowsInFile ? 10_000 : 50;
const mostOfThree = keepsRowsInFile ? 1_500 : 100;

const requests: readonly Step[] = [
  { do: "hello" },
  { do: "fallback" },
  { do: "refresh" },
  { do: "logout" },
  { do: "logout-all" },
  { do: "revoke", whose: 0 },
  { do: "login" },
  { do: "change-password" },
  { do: "reset-request" },
  { do: "reset-confirm", times: 1 },
];

function enumerate(interleaver: Interleaver, program: Program, limit: number): Promise<number> {
  return everyInterleaving(limit, async (choose, choices) => {
    const wrong = await interleaver.play(program, choose, false);
    if (wrong !== "") throw new Error(`interleaving ${choices.join(" ")} of ${JSON.stringify(program)}\n${wrong}`);
  });
}

test(
  "C-09 every interleaving of two requests keeps what was answered, from one session or two",
  async () => {
    // A third session is shown in the end as well.
    await using interleaver = await createInterleaver(3);
    let count = 0;
    for (const [index, first] of requests.entries()) {
      for (const second of requests.slice(index)) {
        for (const session of [0, 1]) {
          const program = [
            { session: 0, steps: [first] },
            { session, steps: [second] },
          ];
          count += await enumerate(interleaver, program, mostOfPair);
        }
      }
    }
    expect(count).toBeGreaterThan(1_000);
  },
  limitMs,
);

test(
  "C-08 C-09 every interleaving of two refreshes and the end of their session lets at most one through, and nothing live behind",
  async () => {
    await using interleaver = await createInterleaver(3);
    for (const end of requests) {
      const program: Program = [
        { session: 0, steps: [{ do: "refresh" }] },
        { session: 0, steps: [{ do: "refresh" }] },
        { session: end.do === "logout" ? 0 : 1, steps: [end] },
      ];
      expect(await enumerate(interleaver, program, mostOfThree)).toBeGreaterThan(1);
    }
  },
  limitMs,
);

test(
  "C-07 C-09 C-10 C-14 C-15 G-03 random programs of up to four clients on two processes, at random interleavings",
  async () => {
    await using interleaver = await createInterleaver(4);
    const seconds = searchSeconds(4);
    const perProgram = 4;
    const started = performance.now();
    let count = 0;
    const property = fc.asyncProperty(
      programs({ clients: { min: 2, max: 4 }, steps: 4, pauses }),
      fc.integer(),
      async (program, seed) => {
        for (let run = 0; run < perProgram; run += 1) {
          const choose = seededChoice(seed + run);
          const wrong = await interleaver.play(program, (waiting) => choose(waiting.length), true);
          if (wrong !== "") throw new Error(`interleaving ${seed + run}\n${wrong}`);
          count += 1;
        }
      },
    );
    for (let round = 0; round < 30 && count <= 100; round += 1) await fc.assert(property, searchOptions(seconds));
    const perMinute = Math.round((count / (performance.now() - started)) * 60_000);
    process.stdout.write(`${count} random interleavings, ${perMinute} a minute\n`);
    expect(count).toBeGreaterThan(100);
  },
  longestSearchMs,
);
