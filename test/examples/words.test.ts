import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { readOwnWords } from "../../src/words/own/read.ts";
import { manual } from "../support/manual.ts";
import { codeBlocks } from "../support/markdown.ts";
import { stage } from "../support/stage.ts";
import { follow } from "./chapters.fixture.ts";

const { target } = await stage({ ownProcess: true, roles: ["http"] });
const chapter = await follow(target);
const words = join(target.folder, "words");

test("words of one's own are made as the chapter says, and what it prints of a file is taken", async () => {
  expect((await chapter.run("Your own words")).code).toBe(0);
  expect(readOwnWords(words).problems).toEqual([]);
  const [example = ""] = codeBlocks(manual, "Your own words", "json");
  await writeFile(join(words, "de.json"), example);
  expect(readOwnWords(words).problems).toEqual([]);
  const missing = await chapter.run("Your own words", 1);
  expect([missing.code, missing.lines[0]]).toEqual([0, "{}"]);
});

test("mails are shown in these words", async () => {
  await mkdir(words, { recursive: true });
  await writeFile(join(words, "sv.json"), '{"mails.letters.reset_link.subject": "Nytt lösenord hos {product}"}');
  await writeFile(join(words, "de.json"), '{"mails.letters.reset_link.subject": "Ein Passwort bei {product}"}');
  const { code, lines } = await chapter.run("Words of mails");
  expect(code).toBe(0);
  expect(lines.some((line) => /^reset_link +Nytt lösenord hos Gatehouse$/.test(line))).toBe(true);
  expect(lines).toContain("Ein Passwort bei Gatehouse");
  expect(readFileSync(join(target.folder, "reset.html"), "utf8")).toContain(
    "<title>Ein Passwort bei Gatehouse</title>",
  );
});
