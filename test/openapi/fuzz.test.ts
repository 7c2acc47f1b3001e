import { describe, expect, test } from "bun:test";
import { pythonMissing } from "../support/python.ts";
import { fuzz } from "./fuzz.ts";

// `bun test/openapi/fuzz.ts --cases 10000` tries more cases.
describe(pythonMissing === undefined ? "generated cases" : `generated cases (skipped: ${pythonMissing})`, () => {
  test.skipIf(pythonMissing !== undefined)(
    "X-62 what the OpenAPI document allows is taken, and everything is answered as it says",
    async () => {
      const fuzzed = await fuzz({ as: ["anonymous", "session", "service"], cases: 60, limitMs: 120_000 });
      expect(fuzzed.map(({ found }) => found).filter((found) => found !== "")).toEqual([]);
      for (const { cases } of fuzzed) expect(cases).toBeGreaterThan(50);
    },
    6 * 60_000,
  );
});
