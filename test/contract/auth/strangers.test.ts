import { afterEach, describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed, mailedToken, minute, nextMail, type Person } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage({ env: { AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "100000" } });
afterEach(() => void rows.forgive());

const wrong = "not the password";
const next = "another walk by the sea";
const login = async (name: string, password = wrong, browser: Client = createClient(target.url)): Promise<number> =>
  (await browser.post(auth("login"), { login: name, password })).status;
const rightly = ({ email, password }: Person, browser?: Client) => login(email, password, browser);
async function fail(name: string, times: number, browser?: () => Client): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push(await login(name, wrong, browser?.()));
  return statuses;
}
const lockedAfterFour = [401, 401, 401, 401, 423];
/** Returns the browser after its sessions have ended, with only the cookies that outlast them. */
function signedOut(browser: Client): Client {
  const left = browser.copy();
  left.deleteCookie("auth_access");
  left.deleteCookie("auth_refresh");
  return left;
}

describe("a browser that the account has signed in with", () => {
  test("L-08 is let in with the right password while strangers keep the account locked", async () => {
    const ada = await people.register("ada");
    const known = signedOut(ada.client);
    expect(await fail(ada.email, 5)).toEqual(lockedAfterFour);
    expect(await rightly(ada)).toBe(423);
    expect(await rightly(ada, known)).toBe(200);
    // Strangers are locked out as before.
    expect(await rightly(ada)).toBe(423);
  });

  test("L-20 has a lock of its own, which strangers do not feel", async () => {
    const ada = await people.register("ada");
    const known = () => signedOut(ada.client);
    expect(await fail(ada.email, 5, known)).toEqual(lockedAfterFour);
    expect(await rightly(ada, known())).toBe(423);
    expect(await rightly(ada)).toBe(200);
  });

  test("L-20 is a stranger to every other account", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    await fail(ada.email, 5);
    expect(await rightly(ada, signedOut(mallory.client))).toBe(423);
  });

  test("L-20 keeps its proof over a logout, for each of the accounts that it has signed in with", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const shared = ada.client;
    await rightly(grace, shared);
    const answer = await shared.post(auth("logout"));
    expect(answer.setCookies.map(({ name }) => name).toSorted()).toEqual(["auth_access", "auth_refresh"]);
    for (const person of [ada, grace]) {
      await fail(person.email, 5);
      expect(await rightly(person, signedOut(shared))).toBe(200);
    }
  });

  test("L-20 a proof that was changed or made up is none", async () => {
    const ada = await people.register("ada");
    const proof = ada.client.cookie("auth_device") ?? "";
    expect(proof.length).toBeGreaterThan(60);
    await fail(ada.email, 5);
    for (let place = 0; place < proof.length; place += 7) {
      const forger = createClient(target.url);
      forger.setCookie(
        "auth_device",
        `${proof.slice(0, place)}${proof[place] === "A" ? "B" : "A"}${proof.slice(place + 1)}`,
      );
      expect(await rightly(ada, forger)).toBe(423);
    }
    const holder = createClient(target.url);
    holder.setCookie("auth_device", proof);
    expect(await rightly(ada, holder)).toBe(200);
  });

  test("L-20 a new password makes proofs from before it worthless, and gives the browser that set it a new one", async () => {
    const ada = await people.register("ada");
    const old = signedOut(ada.client);
    const body = { current_password: ada.password, new_password: next };
    expect((await ada.client.post(auth("change-password"), body)).status).toBe(200);
    await fail(ada.email, 5);
    expect(await login(ada.email, next, old)).toBe(423);
    expect(await login(ada.email, next, signedOut(ada.client))).toBe(200);
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    const before = signedOut(ada.client);
    const reset = { token, new_password: ada.password };
    expect((await createClient(target.url).post(auth("password-reset/confirm"), reset)).status).toBe(200);
    await fail(ada.email, 5);
    expect(await rightly(ada, before)).toBe(423);
  });

  test("L-20 the cookie is HttpOnly, SameSite=Lax, for this host alone and lasts a year", async () => {
    const ada = await people.register("ada");
    const answer = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
    const cookie = answer.setCookies.find(({ name }) => name === "auth_device");
    expect(Object.fromEntries(cookie?.attributes ?? [])).toEqual({
      httponly: "",
      samesite: "Lax",
      path: "/",
      "max-age": String(365 * 24 * 60 * 60),
    });
    expect(cookie?.value).not.toContain(ada.id);
  });
});

describe("a session that is asked for the password again", () => {
  const change = (browser: Client, current: string) =>
    browser.post(auth("change-password"), { current_password: current, new_password: next });
  const move = (browser: Client, current: string, email: string) =>
    browser.post(auth("profile"), { current_password: current, email });

  test("L-21 is not kept from it by strangers who lock the account", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    expect((await move(ada.client, ada.password, `new.${ada.email}`)).status).toBe(200);
    expect((await change(ada.client, ada.password)).status).toBe(200);
  });

  test("L-21 locks itself out of guessing, not the account nor another session", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    const statuses: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      statuses.push((await change(ada.client, wrong)).status);
      statuses.push((await move(ada.client, wrong, `new.${ada.email}`)).status);
    }
    expect(statuses).toEqual([401, 403, 401, 403, 423, 423]);
    expectRefusal(await change(ada.client, ada.password), 423, "account locked", "account_locked");
    expect(await isServed(ada.client)).toBe(true);
    expect(await rightly(ada)).toBe(200);
    expect((await change(other, ada.password)).status).toBe(200);
  });
});

describe("one counter a name", () => {
  test("L-22 a login that is the id of a user counts for itself", async () => {
    const ada = await people.register("ada");
    expect(await fail(ada.id, 5)).toEqual(lockedAfterFour);
    expect(await rightly(ada)).toBe(200);
  });

  test("L-22 the lock of a name does not tell which address belongs to it", async () => {
    const ada = await people.register("ada");
    const history = async (names: readonly string[]): Promise<number[]> => {
      const statuses: number[] = [];
      for (const name of names) statuses.push(await login(name));
      return statuses;
    };
    const nobody = { username: "nobody9", email: "nobody9@example.test" };
    const both = ({ username, email }: { username: string; email: string }) =>
      history([username, email, username, email, username, email, username, email, username, email]);
    const unknown = await both(nobody);
    expect(unknown).toEqual([401, 401, 401, 401, 401, 401, 401, 401, 423, 423]);
    expect(await both(ada)).toEqual(unknown);
  });

  test("L-22 a reset lifts the lock of each name of the account", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    await fail(ada.username, 5);
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    await createClient(target.url).post(auth("password-reset/confirm"), { token, new_password: next });
    expect(await login(ada.email, next)).toBe(200);
    expect(await login(ada.username, next)).toBe(200);
  });
});

describe("a clock that jumped", () => {
  test("L-23 a lock that ends later than any lock could is none", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    // The rows look as if written while the clock was thirty days ahead.
    rows.letPass(-30 * 24 * 60 * minute);
    expect(await rightly(ada)).toBe(200);
    await fail(ada.email, 5);
    rows.letPass(-10 * minute);
    expect(await fail(ada.email, 5)).toEqual(lockedAfterFour);
  });
});

describe("guessing for ever", () => {
  const subject = "Sign-in to your account is blocked for unknown browsers";
  const round = async (name: string): Promise<number[]> => {
    const statuses = await fail(name, 6);
    untilUnlocked();
    return statuses;
  };
  /** Ends the locks; sessions and mailed tokens stay as young as they are. */
  const untilUnlocked = (): void => void rows.run("update auth_attempts set expires_at = expires_at - ?", 16 * minute);
  async function guessAHundredTimes(person: Person): Promise<void> {
    for (let each = 0; each < 10; each += 1) {
      for (const name of [person.email, person.username]) expect(await round(name)).toEqual([...lockedAfterFour, 423]);
    }
  }

  test("L-16 ends at 100 wrong passwords in a row: then a stranger is refused the right one too, as a wrong one", async () => {
    const [ada, nobody] = [await people.register("ada"), { email: "nobody8@example.test" }];
    const known = signedOut(ada.client);
    for (let each = 0; each < 99 / 5; each += 1) await round(ada.email);
    const refused = await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
    expectRefusal(refused, 401, "invalid credentials", "invalid_credentials");
    untilUnlocked();
    // The answers are the same as for a name without an account.
    expect(await round(ada.email)).toEqual(await round(nobody.email));
    expect(await rightly(ada)).toBe(401);
    expect(await rightly(ada, known)).toBe(200);
    // The owner has come in with a known browser, so strangers may try again.
    expect(await rightly(ada)).toBe(200);
  }, 120_000);

  test("L-16 over the name and the address of an account together; its owner is told once, and what to do", async () => {
    const ada = await people.register("ada");
    // Notices go to proven addresses only.
    rows.run("update users set email_verified_at = created_at where id = ?", ada.id);
    await guessAHundredTimes(ada);
    const mail = await nextMail(mailbox, ada.email, subject);
    expect(mail.text.replaceAll(/\s+/g, " ")).toContain("a browser that has signed in before");
    expect(mail.text).toContain("Reset the password");
    expect(await rightly(ada)).toBe(401);
    await round(ada.email);
    // Any other mail would have arrived before this one.
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    expect(
      mailbox.all().filter((each) => each.subject === subject && each.recipients.includes(ada.email)),
    ).toHaveLength(1);
    await createClient(target.url).post(auth("password-reset/confirm"), { token, new_password: next });
    expect(await login(ada.email, next)).toBe(200);
  }, 120_000);

  test("L-16 a signed-in owner still changes the password, which ends the block", async () => {
    const ada = await people.register("ada");
    await guessAHundredTimes(ada);
    const body = { current_password: ada.password, new_password: next };
    expect((await ada.client.post(auth("change-password"), body)).status).toBe(200);
    expect(await login(ada.email, next)).toBe(200);
  }, 120_000);
});
