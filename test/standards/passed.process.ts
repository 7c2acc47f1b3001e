import { passedIn } from "./results.ts";
import { standards } from "./tables.ts";

// Whether each promise that a table about a standard names has a test that passed in this run: passed.process.ts FOLDER-OF-REPORTS.
const passed = passedIn(process.argv[2] ?? "");
const named = new Set(
  standards.flatMap(({ chapters }) => chapters.flatMap(([, all]) => all.flatMap(({ ids }) => ids))),
);
const without = [...named].filter((id) => !passed.has(id));
console.log(`${named.size} promises in tables, ${named.size - without.length} with a test that passed`);
if (without.length > 0) console.log(`without one: ${without.join(", ")}`);
process.exit(without.length === 0 ? 0 : 1);
