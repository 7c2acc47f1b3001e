import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { runGatehouse } from "../../support/process.ts";

const cwd = sharedFolder();
const words = join(cwd, "words");
mkdirSync(words);

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  runGatehouse(args, { cwd, env: { ...testEnvironment(cwd), APP_DISPLAY_NAME: "Acme", ...env } });
const own = { WORDS_PATH: words };

describe("words:list", () => {
  test("prints every key with our text, which a start takes as it is; in a language that is not ours, in English", async () => {
    const german = await run(["words:list", "--locale", "de"]);
    const icelandic = await run(["words:list", "--locale", "is"]);
    expect([german.code, german.stderr, icelandic.code]).toEqual([0, "", 0]);
    writeFileSync(join(words, "de.json"), german.stdout);
    writeFileSync(join(words, "is.json"), icelandic.stdout);
    expect(german.stdout).toContain('\n  "pages.titles.signIn": "Anmelden",\n');
    expect(icelandic.stdout).toContain('\n  "pages.titles.signIn": "Sign in",\n');
    const keys = (text: string): readonly string[] => [...text.matchAll(/^ {2}"([^"]+)"/gm)].map(([, key = ""]) => key);
    expect(keys(icelandic.stdout)).toEqual(keys(german.stdout));
    const checked = await run(["env:check"], own);
    expect([checked.code, checked.stderr]).toEqual([0, ""]);
  });

  test("reads no settings, so that it can write the file that these name", async () => {
    writeFileSync(join(words, "fr.json"), "");
    const { code, stdout } = await run(["words:list", "--locale", "fr"], { ...own, API_HTTP_PORT: "none" });
    expect([code, stdout.startsWith("{\n")]).toEqual([0, true]);
    writeFileSync(join(words, "fr.json"), stdout);
    expect((await run(["env:check"], own)).code).toBe(0);
  });

  test("--missing prints what a file does not have, and says what is wrong with it", async () => {
    const file = join(cwd, "half.json");
    const all: unknown = JSON.parse((await run(["words:list", "--locale", "lt"])).stdout);
    const without = Object.entries(all ?? {}).filter(([key]) => key !== "pages.time.hours.few");
    writeFileSync(file, JSON.stringify(Object.fromEntries(without)));
    const missing = await run(["words:list", "--locale", "lt", "--missing", file]);
    expect(JSON.parse(missing.stdout)).toEqual({ "pages.time.hours.few": "{count} hours" });
    writeFileSync(file, '{\n"pages.loading": "<"\n}');
    const wrong = await run(["words:list", "--locale", "lt", "--missing", file]);
    expect([wrong.code, wrong.stdout]).toEqual([1, ""]);
    expect(wrong.stderr).toContain(`${file} line 2: pages.loading has < or >`);
  });

  test.each([
    ["pt_br", "is pt-BR meant?"],
    ["german", "such are de, pt-BR and zh-Hant"],
    ["__proto__", "such are de, pt-BR and zh-Hant"],
    ["../../etc", "such are de, pt-BR and zh-Hant"],
  ])("takes no language such as %s", async (locale, advice) => {
    const { code, stdout, stderr } = await run(["words:list", "--locale", locale]);
    expect([code, stdout, stderr.includes(advice)]).toEqual([2, "", true]);
  });
});

test("J-01 env:check names every line of every file, and exits with 2", async () => {
  const wrong = join(cwd, "wrong");
  mkdirSync(wrong);
  writeFileSync(join(wrong, "de.json"), '{\n"pages.loading": "www.evil.example",\n"pages.slow": 1\n}');
  writeFileSync(join(wrong, "is.json"), '{\n\n"pages.loading": "\\u202e"\n}');
  for (const app of ["app", "admin"] as const) {
    const { code, stderr } = await runGatehouse(["env:check"], {
      app,
      cwd,
      env: { ...testEnvironment(cwd), WORDS_PATH: wrong },
    });
    expect(code).toBe(2);
    for (const line of [
      'WORDS_PATH de.json line 2: pages.loading has "www.evil.example", of which programs could make a link',
      "WORDS_PATH de.json line 3: pages.slow is no text in quotes",
      "WORDS_PATH is.json line 3: pages.loading has the character U+202E",
    ])
      expect(stderr).toContain(line);
  }
});

describe("mail:preview", () => {
  test("lists every mail with its subject, in the operator's words", async () => {
    writeFileSync(join(words, "is.json"), '{"mails.letters.reset_link.subject": "Nýtt lykilorð fyrir {product}"}');
    const { code, stdout } = await run(["mail:preview", "--locale", "is"], own);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^reset_link +Nýtt lykilorð fyrir Acme$/m);
    expect(stdout).toMatch(/^password_changed +Your password for Acme was changed$/m);
    const rows = (await run(["mail:preview", "--locale", "is", "--json"], own)).stdout.trim().split("\n");
    expect(rows.length).toBeGreaterThan(35);
    expect(JSON.parse(rows[0] ?? "")).toEqual({
      name: "reset_link",
      locale: "is",
      subject: "Nýtt lykilorð fyrir Acme",
    });
  });

  test("shows one as text, as HTML and as a file, makes no database and reads none", async () => {
    const text = await run(["mail:preview", "reset_link", "--locale", "de"], own);
    expect(text.stdout).toStartWith("Neues Passwort für Acme\n\nGuten Tag Ada Lovelace,\n\n");
    expect(text.stdout).toContain("/reset-password?token=SAMPLE");
    const html = await run(["mail:preview", "email_login_link", "--html", "--locale", "de"], own);
    expect(html.stdout).toStartWith('<!doctype html>\n<html lang="de"');
    expect(html.stdout).toContain(">123456</p>");
    const file = join(cwd, "mail.html");
    const written = await run(["mail:preview", "email_login_link", "--locale", "de", "--output", file], own);
    expect([written.code, readFileSync(file, "utf8")]).toEqual([0, html.stdout]);
    const again = await run(["mail:preview", "reset_link", "--output", file], own);
    expect([again.code, again.stderr.includes("--force replaces it")]).toEqual([2, true]);
    expect((await run(["mail:preview", "reset_link", "--output", file, "--force"], own)).code).toBe(0);
    expect(existsSync(join(cwd, "data"))).toBe(false);
  });

  test.each([
    [["reset_lnk"], "did you mean reset_link?"],
    [["constructor"], "there is no mail"],
    [["--html"], "NAME is missing"],
    [["--locale", "xx"], "the languages are"],
  ])("refuses %j", async (args, says) => {
    const { code, stdout, stderr } = await run(["mail:preview", ...args], own);
    expect([code, stdout, stderr.includes(says)]).toEqual([2, "", true]);
  });
});
