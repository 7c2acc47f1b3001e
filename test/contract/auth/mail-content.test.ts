import { describe, expect, test } from "bun:test";
import { auth, nextMail, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const env = { APP_URL: "https://id.example.test", APP_DISPLAY_NAME: "Lindenhof Bücher" };
const { target, rows, mailbox, people } = await stage({ env });

const safari =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15";
async function member(name: string, profile: Record<string, string> = {}): Promise<Person> {
  const person = await people.register(name, { display_name: "Ada Lovelace" });
  rows.prove(person);
  expect((await person.client.post(auth("profile"), profile)).status).toBe(200);
  return person;
}
async function resetMail({ email }: Person, subject = "Reset your password for Lindenhof Bücher") {
  const headers = { "user-agent": safari };
  await createClient(target.url).post(auth("password-reset/request"), { login: email }, { headers });
  return nextMail(mailbox, email, subject);
}

describe("a mail", () => {
  test("says which product, when, from which device and address, how long its link works, and what to do if it was not you", async () => {
    const mail = await resetMail(await member("ada"));
    const date = String.raw`\d{1,2} \w+ 20\d\d at \d\d:\d\d UTC`;
    for (const [kind, text] of Object.entries({ text: mail.text, html: mail.html })) {
      for (const part of [
        "Hello Ada Lovelace,",
        "Mac · Safari",
        "127.0.0.1",
        "If this was not you",
        "Lindenhof Bücher account",
      ])
        expect({ kind, has: text.includes(part) && part }).toEqual({ kind, has: part });
      expect(text).toMatch(new RegExp(`works once, until ${date}`));
    }
    expect(mail.text).toMatch(new RegExp(`^When: +${date}$`, "m"));
    const links = [...mail.html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url);
    const [button] = links;
    expect(button).toMatch(/^https:\/\/id\.example\.test\/reset-password\?token=[\w-]{43}$/);
    // The button's address stands below it in full, and only the service is linked besides.
    expect(links).toEqual([button, button, "https://id.example.test"]);
    expect(mail.html).toContain(`>${button}</a>`);
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(mail.html).not.toMatch(/<img|<link|<script|url\(|@import/i);
  });

  test("that tells of what has happened has a quiet link at its end, and no button", async () => {
    const ada = await member("ada");
    const changed = { current_password: ada.password, new_password: "another walk by the sea" };
    expect((await ada.client.post(auth("change-password"), changed)).status).toBe(200);
    const { html } = await nextMail(mailbox, ada.email, "Your password for Lindenhof Bücher was changed");
    expect(html).not.toContain('class="button"');
    expect(html).toMatch(
      /If it was not, reset the password at once\.<\/p>\s*<p[^>]*><a class="link" href="https:\/\/id\.example\.test\//,
    );
  });

  test("is in German for whoever reads German, with the time in their zone and in UTC", async () => {
    const ada = await member("ada", { locale: "de-AT", timezone: "Europe/Vienna" });
    const mail = await resetMail(ada, "Neues Passwort für Lindenhof Bücher");
    expect(mail.html).toContain('<html lang="de" dir="ltr">');
    expect(mail.text).toContain("Guten Tag Ada Lovelace,");
    expect(mail.text).toMatch(
      /^Wann: +\d{1,2}\. \p{L}+ 20\d\d um \d\d:\d\d \(Europe\/Vienna\)\n +\d{1,2}\. \p{L}+ 20\d\d um \d\d:\d\d UTC$/mu,
    );
    expect(mail.text).toMatch(/Der Link gilt einmal, und zwar bis .* \(Europe\/Vienna\)\./);
  });

  test("to a person without a password says what the link does, from whom it is, how long it works, and what to do if they did not expect it", async () => {
    const [ada, grace] = [await member("ada"), await member("grace", { locale: "de", timezone: "Europe/Berlin" })];
    for (const { id } of [ada, grace]) rows.run("update users set password_hash = null where id = ?", id);
    const english = await resetMail(ada, "Choose your first password for Lindenhof Bücher");
    const german = await resetMail(grace, "Wählen Sie Ihr erstes Passwort für Lindenhof Bücher");
    for (const [mail, parts] of [
      [english, ["You have an account with Lindenhof Bücher", "works once, until", "If you did not expect this mail"]],
      [german, ["ein Konto bei Lindenhof Bücher", "Der Link gilt einmal, und zwar bis", "nicht gerechnet"]],
    ] as const)
      for (const part of parts)
        expect([part, mail.text.replaceAll(/\s+/g, " ").includes(part), mail.html.includes(part)]).toEqual([
          part,
          true,
          true,
        ]);
    expect(english.html).toMatch(/href="https:\/\/id\.example\.test\/reset-password\?token=[\w-]{43}"/);
    expect(`${english.text}${english.html}`).not.toMatch(/reset your password/i);
  });

  test("that proves an address carries a second link for whoever it was not", async () => {
    const ada = await people.register("ada");
    const mail = await nextMail(mailbox, ada.email, "Verify your email for Lindenhof Bücher");
    const [, link] = /^(https:\S+)$/m.exec(mail.text) ?? [];
    expect(mail.text).toContain(`This was not me:\n${link}&reject=1\n`);
    expect(mail.html).toContain(`href="${link}&amp;reject=1"`);
  });
});

describe("G-27 the name that a mail greets with", () => {
  test("is that of proven accounts alone: a stranger's address is greeted with nothing that somebody typed", async () => {
    const name = "You have won";
    const mallory = await people.register("mallory", { display_name: name });
    const first = await nextMail(mailbox, mallory.email, "Verify your email for Lindenhof Bücher");
    expect(first.raw).not.toContain(name);
    rows.prove(mallory);
    const victim = `victim.${mallory.email}`;
    await mallory.client.post(auth("profile"), { email: victim, current_password: mallory.password });
    const second = await nextMail(mailbox, victim, "Verify your email for Lindenhof Bücher");
    expect(second.text).toStartWith("Hello,\n");
    expect(second.raw).not.toContain(name);
  });

  test.each([
    "Your prize waits: https://prize.example",
    "prize.example",
    "Call us at www.prize",
    "ｐｒｉｚｅ．ｅｘａｍｐｌｅ",
    "prize。example",
    "ada@prize.example",
    "//prize",
    "<b>Ada</b>",
    `Ada ${"x".repeat(60)}`,
  ])("is none where it is more than a name: %s", async (name) => {
    const ada = await people.register("ada", { display_name: name });
    rows.prove(ada);
    const mail = await resetMail(ada);
    expect(mail.text).toStartWith("Hello,\n");
    expect(`${mail.message.subject} ${mail.text} ${mail.html}`).not.toContain(name);
  });

  test.each(["Ada Lovelace", "Jean-Luc O'Neill", "J. R. R. Tolkien", "Łucja Żółć", "عائشة", "山田 太郎"])(
    "is a plain name: %s",
    async (name) => {
      const ada = await people.register("ada", { display_name: name });
      rows.prove(ada);
      // Marks that nobody sees keep a name that is written the other way from turning the words around it.
      const said = (await resetMail(ada)).text.replace(/[\u2068\u2069]/g, "");
      expect(said).toStartWith(`Hello ${name},\n`);
    },
  );
});
