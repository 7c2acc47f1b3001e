import { expect, test } from "bun:test";
import { join } from "node:path";
import { variables } from "../../src/config/index.ts";

test(".env.example has every variable with its default and description, and nothing else", async () => {
  const example = await Bun.file(join(import.meta.dir, "../../.env.example")).text();
  const groups = Map.groupBy(variables, ({ group }) => group);
  const sections = [...groups].map(([group, members]) =>
    [
      `# ${group}`,
      ...members.flatMap((variable) => [
        `# ${"secret" in variable ? "Secret. " : ""}${variable.description}.`,
        `# ${variable.name}=${variable.fallback ?? ""}`,
      ]),
    ].join("\n"),
  );
  const title = "# Every variable of Gatehouse with its default. Locally none of them is needed.";
  const files = "# A secret may stand in a file that NAME_FILE names: see Configuration in the manual.";
  expect(example.trimEnd()).toBe([`${title}\n${files}`, ...sections].join("\n\n"));
});
