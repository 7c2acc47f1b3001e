import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { ConfigurationError } from "../../../src/cli/app/configuration.error.ts";
import { readStart } from "../../../src/cli/app/start.ts";
import { nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { definitions } from "../../support/definitions.ts";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";

const folder = sharedFolder();
const words = join(folder, "words");
mkdirSync(words);
/** A sentence that only looks as if it were the end of a mail, a header, or HTML. */
const odd = '";-- "=x\' \\r\\nBcc: eve %0d%0a & AT&T';
const icelandic = {
  "pages.titles.signIn": "Skrá inn",
  "service.absent.title": "Síðan er ekki til",
  "mails.greeting.plain": "Halló,",
  "mails.letters.verification_link.subject": "Staðfestu netfangið hjá {product}",
  "mails.letters.verification_link.otherwise": ".",
};
writeFileSync(join(words, "is.json"), JSON.stringify(icelandic, undefined, 2));
writeFileSync(
  join(words, "de.json"),
  JSON.stringify({ "mails.letters.verification_link.subject": `${odd} {product}` }),
);
const { browser, mailbox, people, target } = await stage({ env: { WORDS_PATH: words, APP_DISPLAY_NAME: "Skútan" } });

const speaking = (language: string) => ({ headers: { "accept-language": language, accept: "text/html" } });
const folderIn = (html: string): string | undefined => /\/account\/assets\/([^/"]+)\//.exec(html)?.[1];

test("pages and mails are in the operator's words, with ours where these have none, in both apps", async () => {
  const page = await browser().get("/login", speaking("is-IS, en"));
  expect(page.text).toContain('<html lang="is"');
  expect(page.text).toContain("<title>Skrá inn");
  expect((await browser().get("/nowhere", speaking("is"))).text).toContain("Síðan er ekki til");
  const admin = await startTarget({
    app: "admin",
    migrate: false,
    env: { DB_DATABASE: target.databasePath, WORDS_PATH: words },
  });
  const signIn = await createClient(admin.url).get("/login", speaking("is"));
  await admin.stop();
  expect(signIn.text).toContain("Skrá inn</h1>");
  expect(signIn.text).toContain("Forgot password?");
});

test("J-05 a change of words reaches browsers at once: the folder of their files has another name", async () => {
  const before = folderIn((await browser().get("/login", speaking("is"))).text);
  expect(before).toStartWith("is.");
  writeFileSync(join(words, "is.json"), JSON.stringify({ ...icelandic, "pages.signIn.submit": "Ganga inn" }));
  const changed = await startTarget({ env: { WORDS_PATH: words } });
  const client = createClient(changed.url);
  const page = await client.get("/login", speaking("is"));
  const after = folderIn(page.text);
  const [main = ""] = /\/account\/assets\/is\.[^/"]+\/main\.[^"]+\.js/.exec(page.text) ?? [];
  const script = await client.get(main);
  const old = await client.get(main.replace(after ?? "", before ?? ""));
  await changed.stop();
  writeFileSync(join(words, "is.json"), JSON.stringify(icelandic));
  expect(after).toStartWith("is.");
  expect(after).not.toBe(before);
  expect(script.text).toContain("Ganga inn");
  expect(script.headers.get("cache-control")).toContain("immutable");
  // Somebody who still has the page of before gets the words that are there, and keeps none of them.
  expect([old.text.includes("Ganga inn"), old.headers.get("cache-control")]).toEqual([true, "no-cache"]);
});

describe("J-03 a mail in the operator's words", () => {
  test("keeps its link and its way out, and a dot of its own ends nothing on its way", async () => {
    const ada = await people.register("ada", { locale: "is" });
    const mail = await nextMail(mailbox, ada.email, "Staðfestu netfangið hjá Skútan");
    expect(mail.message.subject).toBe("Staðfestu netfangið hjá Skútan");
    expect(mail.text).toContain("\n\n.\n\n");
    expect(mail.text.match(/\/verify-email\?token=[\w-]+/g)).toHaveLength(2);
    expect(mail.text).toContain("&reject=1");
    expect(mail.html).toContain('lang="is"');
  });

  test("has a subject and no header of that", async () => {
    const grace = await people.register("grace", { locale: "de" });
    const mail = await nextMail(mailbox, grace.email, `${odd} Skútan`);
    expect(mail.message.subject).toBe(`${odd} Skútan`);
    expect(mail.recipients).toEqual([grace.email]);
    const names = mail.message.headers.map(({ key }) => key);
    expect(names.filter((name) => name === "subject")).toHaveLength(1);
    expect(names).not.toContain("bcc");
  });
});

describe("J-01 a start", () => {
  const start = (env: Record<string, string>, app: "app" | "admin" = "app") => {
    const silent = () => undefined;
    return readStart(definitions[app], {
      env: { ...testEnvironment(folder), ...env },
      out: silent,
      err: silent,
      readSecret: () => Promise.resolve(""),
    });
  };

  test.each(["app", "admin"] as const)("of %s is refused with every line of every file at once", async (app) => {
    const wrong = join(folder, `wrong-${app}`);
    mkdirSync(wrong);
    writeFileSync(join(wrong, "de.json"), '{\n"pages.signIn.submitt": "Hinein",\n"pages.loading": "<b>"\n}');
    writeFileSync(join(wrong, "is.json"), '{\n"pages.signIn.provider": "Áfram"\n}');
    const refusal: unknown = await start({ WORDS_PATH: wrong }, app).catch((error: unknown) => error);
    if (!(refusal instanceof ConfigurationError)) throw new Error("it was not refused");
    expect(refusal.problems).toEqual([
      'WORDS_PATH de.json line 2: "pages.signIn.submitt" is no key: is pages.signIn.submit meant?',
      "WORDS_PATH de.json line 3: pages.loading has < or >: words are plain text, not HTML",
      "WORDS_PATH is.json line 2: pages.signIn.provider must have {label}, as ours has",
    ]);
  });

  test("takes a relative folder on a developer's machine and in tests alone", async () => {
    expect((await start({ WORDS_PATH: words })).config.app.wordsPath).toBe(words);
    expect(start({ WORDS_PATH: join(folder, "absent") })).rejects.toThrow("WORDS_PATH can't be read (ENOENT)");
    const deployed = { APP_ENV: "staging", WORDS_PATH: "words", APP_URL: "https://example.test", DB_DRIVER: "sqlite" };
    const refusal: unknown = await start(deployed).catch((error: unknown) => error);
    expect(String(refusal)).toContain("WORDS_PATH must be an absolute path");
  });
});
