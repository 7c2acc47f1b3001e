import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

// How many of the refusals that the suite has provoked give a reason of the closed set: refusals.process.ts TALLY FEWEST. Ends with 1
// below 99.9 %, and where there are fewer refusals than that.
const needed = 0.999;
const Line = Type.Object({
  refusals: Type.Integer(),
  unexplained: Type.Array(
    Type.Object({ name: Type.String(), status: Type.String(), reason: Type.Union([Type.String(), Type.Null()]) }),
  ),
});

const [path = "", fewest = ""] = process.argv.slice(2);
const lines = (await Bun.file(path).text()).split("\n").filter((line) => line !== "");
const tallies = lines.map((line) => Value.Parse(Line, JSON.parse(line)));
const total = tallies.reduce((sum, { refusals }) => sum + refusals, 0);
const unexplained = tallies.flatMap((tally) => tally.unexplained);
const share = total === 0 ? 0 : (total - unexplained.length) / total;
console.log(`${total} refusals, ${(share * 100).toFixed(2)} % with a reason`);
for (const { name, status, reason } of unexplained) console.log(`  ${name} ${status}: ${reason}`);
process.exit(share >= needed && total >= Number(fewest) ? 0 : 1);
