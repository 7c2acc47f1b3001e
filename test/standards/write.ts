import { join } from "node:path";
import { testedStatements } from "../support/statements.ts";
import { dependenciesPage, path } from "../supply/page.ts";
import { pageOf, standards } from "./tables.ts";

// Writes the chapters about standards and packages anew, from the tables beside this file and the names of the tests.
const root = join(import.meta.dir, "..", "..");
const tested = testedStatements(root);
for (const standard of standards) await Bun.write(join(root, standard.path), pageOf(standard, tested));
await Bun.write(join(root, path), dependenciesPage());
