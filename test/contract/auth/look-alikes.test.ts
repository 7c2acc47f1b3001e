import { expect, test } from "bun:test";
import { auth, nextMail } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const password = "a long walk by the sea";
const { target, rows, mailbox, people } = await stage();

const register = (email: string): Promise<Answer> =>
  createClient(target.url).post(auth("register"), { email, password });
const refused = (answer: Answer) => [answer.status, answer.at("code"), answer.at("fields.email.code")];
const asLookAlike = [400, "invalid_payload", "look_alike_email"];

/** In a compatible form (NFKC) these addresses equal `victim@…`, though their mail goes to another mailbox. */
const lookAlikes = [
  ["full-width letters", "\uff56ictim"],
  ["a full-width full stop", "vic\uff0etim"],
  ["mathematical letters", "\u{1d42f}ictim"],
  ["a ligature", "\ufb01ctim"],
  ["a long s", "victim\u017f"],
  ["a letter in a circle", "\u24e5ictim"],
  ["a raised digit", "victim\u00b2"],
] as const;

test.each(lookAlikes)("C-33 no account is made for an address with %s, and none moves to it", async (_, local) => {
  const email = `${local}@example.test`;
  expect(refused(await register(email))).toEqual(asLookAlike);
  const mallory = await people.register("mallory");
  const moved = await mallory.client.post(auth("profile"), { email, current_password: mallory.password });
  expect(refused(moved)).toEqual(asLookAlike);
  expect((await mallory.client.get(auth("me"))).at("user.email")).toBe(mallory.email);
  // The owner of the plain spelling can still register.
  const plain = await register(`${local.normalize("NFKC")}.${crypto.randomUUID().slice(0, 8)}@example.test`);
  expect(plain.status).toBe(200);
});

test.each([
  ["capitals", "Grace.Hopper"],
  ["letters of other scripts", "\u0433\u0440\u0435\u0439\u0441"],
  ["accents, composed or not", "re\u0301ne\u00e9"],
  // The Kelvin sign is by definition the letter K (its canonical form), which is stored and gets the mail.
  ["a Kelvin sign", "\u212aelvin"],
])("C-33 an address with %s gets its mail in the form in which it is compared, case aside", async (_, local) => {
  const email = `${local}@example.test`;
  expect((await register(email)).status).toBe(200);
  const stored = local.normalize("NFC");
  const row = rows.get("select email, email_key from users where email = ?", `${stored}@example.test`);
  expect(row).toEqual({ email: `${stored}@example.test`, email_key: `${stored.toLowerCase()}@example.test` });
  const mail = await nextMail(mailbox, `${stored}@example.test`, "Verify your email");
  expect(mail.text).toContain("token=");
});

test("C-33 an account that has such an address from earlier goes on: it signs in, edits its profile and gets mail", async () => {
  const ada = await people.register("ada");
  const typed = ada.email.replace("a", "\uff41");
  rows.run("update users set email = ? where id = ?", typed, ada.id);
  for (const login of [typed, ada.email, ada.username]) {
    const browser = createClient(target.url);
    expect((await browser.post(auth("login"), { login, password: ada.password })).at("user.email")).toBe(typed);
    const saved = await browser.post(auth("profile"), { email: typed, display_name: "Ada" });
    expect([saved.status, saved.at("user.display_name")]).toEqual([200, "Ada"]);
  }
  expect(refused(await register(typed))).toEqual(asLookAlike);
  expect((await register(ada.email)).status).toBe(409);
  await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
  await nextMail(mailbox, typed, "Reset your password");
});
