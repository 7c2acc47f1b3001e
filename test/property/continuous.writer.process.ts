import { openDatabase } from "../../src/drivers/database/open.ts";

// The process commits at random until it is stopped, and prints when each commit was acknowledged: `<number> <time>`.
const [path = "", writer = "", seed = "1"] = process.argv.slice(2);
const { database } = openDatabase({ driver: "sqlite", path }, { create: false });
let state = Number(seed);
const random = (below: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state % below;
};
process.on("SIGTERM", () => void database.close().then(() => process.exit(0)));

for (let number = 1; ; number += 1) {
  const body = "x".repeat(random(40) === 0 ? random(200_000) : random(2_000));
  const { applied } = await database.batch([
    {
      sql: "insert into entries (writer, number, body) values ($writer, $number, $body)",
      params: { writer, number, body },
    },
    {
      sql: "update totals set entries = entries + 1, bytes = bytes + $bytes where writer = $writer",
      params: { writer, bytes: body.length },
    },
    ...(random(25) === 0
      ? [
          { sql: "update entries set body = '' where number % 3 = $rest", params: { rest: random(3) } },
          {
            sql: "update totals set bytes = (select coalesce(sum(length(body)), 0) from entries e where e.writer = totals.writer)",
          },
        ]
      : []),
  ]);
  if (applied) process.stdout.write(`${number} ${Date.now()}\n`);
  await Bun.sleep(random(8));
}
