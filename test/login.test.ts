import { expect, test } from "bun:test";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const mostMoves = 110;
const Measured = Type.Object({
  calls: Type.Integer(),
  files: Type.Integer(),
  moves: Type.Integer(),
  crossings: Type.Integer(),
});

test(`a login is let in with at most ${mostMoves} moves between rooms`, async () => {
  // In a process of its own, since its loader rewrites every function of src.
  const script = Bun.spawn([process.execPath, join(import.meta.dir, "login.process.ts")], { stderr: "inherit" });
  const told = await new Response(script.stdout).text();
  expect(await script.exited).toBe(0);
  const { calls, files, moves, crossings } = Value.Parse(Measured, JSON.parse(told));
  // Fewer would mean that the loader has missed most of src.
  expect(calls).toBeGreaterThan(200);
  expect(files).toBeGreaterThan(40);
  expect(moves).toBeLessThanOrEqual(mostMoves);
  expect(crossings).toBeLessThanOrEqual(mostMoves);
}, 60_000);
