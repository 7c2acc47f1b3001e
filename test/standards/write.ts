import { join } from "node:path";
import { dependenciesPage, path } from "../supply/page.ts";
import recorded from "./passed.json" with { type: "json" };
import { passedIn } from "./results.ts";
import { pageOf, standards } from "./tables.ts";

// Writes the chapters about standards and packages anew: write.ts [FOLDER]. What has passed is what passed.json says, or the reports in the
// folder, which `bun run check --results FOLDER` leaves; of promises that no test of them names the record is kept.
const root = join(import.meta.dir, "..", "..");
const [folder] = process.argv.slice(2);
const ids = new Set(
  standards.flatMap(({ chapters }) => chapters.flatMap(([, all]) => all.flatMap((each) => each.ids))),
);
const all = { ...recorded, ...(folder !== undefined && Object.fromEntries(passedIn(folder))) };
const passed = new Map(
  Object.entries(all)
    .filter(([id]) => ids.has(id))
    .toSorted(([one], [other]) => (one < other ? -1 : 1)),
);
await Bun.write(join(import.meta.dir, "passed.json"), `${JSON.stringify(Object.fromEntries(passed), null, 2)}\n`);
for (const standard of standards) await Bun.write(join(root, standard.path), pageOf(standard, passed));
await Bun.write(join(root, path), dependenciesPage());
