import { expect, test } from "bun:test";
import { forecastInWords } from "../../src/cli/commands/database/forecast.ts";
import { createSystem, placesOf } from "../../src/host/index.ts";
import { createNarration } from "../../src/host/release/narration.ts";
import { migrate } from "../../src/host/release/prepare.ts";

test("a release says before it migrates how long that will take, and then what was applied", async () => {
  const told = forecastInWords({
    count: 2,
    dialect: "sqlite",
    seconds: 5,
    tables: [{ table: "users", rows: 1_000_000 }],
    longest: { id: "0029_metadata", what: "users_created_at", seconds: 0.4 },
  });
  const system = createSystem();
  const said: string[] = [];
  const ran = (output: string) => ({ code: 0, output, complaint: "" });
  const systemd = {
    ...system.systemd,
    runAsService: async () =>
      ran(
        [
          "applied  0001_accounts (additive)  2026-11-22T08:00:00.000Z",
          "pending  0029_metadata (additive)",
          ...told,
        ].join("\n"),
      ),
    act: async () => {
      said.push("the unit is started");
      return ran("");
    },
    journal: async () => ["applied 0029_metadata (additive)"],
  };
  await migrate(
    {
      app: "gatehouse",
      system: { systemd },
      places: placesOf("gatehouse", "/nowhere"),
      narration: createNarration({ say: (line) => said.push(line), complain: () => {}, isInterrupted: () => false }),
      release: "0.3.0-ada",
    },
    "0.2.0-ada",
  );
  expect(told).toHaveLength(2);
  expect(said).toEqual([
    ...told.map((line) => `      ${line}`),
    "the unit is started",
    "      applied 0029_metadata (additive)",
  ]);
});
