import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mutations } from "./list.ts";
import type { Mutation } from "./mutation.ts";

// Makes each mistake of the list in a copy of the tree and runs the tests that have to notice it. Ends with 1 when one was
// missed. `bun test/mutations/run.ts [WORD…]`: those with one of the words in their name or file.
const root = join(import.meta.dir, "..", "..");
const copied = ["src", "migrations", "systemd", "test", "build.ts", "bunfig.toml", "package.json", "tsconfig.json"];
const limitMs = 180_000;

interface Verdict {
  readonly outcome: "caught" | "MISSED" | "broken";
  readonly by: string;
}

async function copyTree(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "gatehouse-mutations-"));
  for (const source of copied) await cp(join(root, source), join(copy, source), { recursive: true });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

async function runTests(tree: string, paths: readonly string[], withinMs = limitMs): Promise<Verdict> {
  const files = paths.map((path) => `./${path}`);
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", "--bail=1", ...files], {
    cwd: tree,
    env: { ...process.env, NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: withinMs,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code === 0) return { outcome: "MISSED", by: "" };
  if (child.signalCode !== null) return { outcome: "caught", by: `nothing within ${withinMs / 1_000} s` };
  const failed = /^\(fail\) (.*?)(?: \[[\d.]+m?s\])?$/m.exec(`${stdout}${stderr}`)?.[1];
  if (failed !== undefined) return { outcome: "caught", by: failed };
  // It does not even load: that says nothing about the tests.
  return { outcome: "broken", by: `${stdout}${stderr}`.split("\n").find((line) => line.includes("error")) ?? "" };
}

async function tryOut(tree: string, { file, from, to, tests }: Mutation): Promise<Verdict> {
  const path = join(tree, file);
  const text = await Bun.file(path).text();
  const found = text.split(from).length - 1;
  if (found !== 1) return { outcome: "broken", by: `${file} has the snippet ${found} times` };
  await Bun.write(
    path,
    text.replace(from, () => to),
  );
  try {
    return await runTests(tree, tests);
  } finally {
    await Bun.write(path, text);
  }
}

const words = process.argv.slice(2);
const chosen = mutations.filter(
  ({ name, file }) => words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
);
const tree = await copyTree();
const verdicts: Verdict[] = [];
try {
  const everyTest = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const before = await runTests(tree, everyTest, limitMs * everyTest.length);
  if (before.outcome !== "MISSED") throw new Error(`without any mutation: ${before.by}`);
  console.log("| mutation | file | caught by |\n|---|---|---|");
  for (const mutation of chosen) {
    const verdict = await tryOut(tree, mutation);
    verdicts.push(verdict);
    const finding = verdict.outcome === "caught" ? verdict.by : `**${verdict.outcome}** ${verdict.by}`;
    console.log(`| ${mutation.name} | ${mutation.file} | ${finding.trim().replaceAll("|", "\\|")} |`);
  }
} finally {
  await rm(tree, { recursive: true });
}
const caught = verdicts.filter(({ outcome }) => outcome === "caught").length;
console.log(`\n${caught} of ${verdicts.length} caught`);
process.exit(caught === verdicts.length ? 0 : 1);
