import { auth, hour, mailedToken, nextMail, type Person } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { add, origin, stagePasskeys } from "./passkeys.fixture.ts";
import { createAuthenticator } from "../../support/authenticator.ts";

/** Starts a service with every means to take an account over, and to take it back. */
export async function stageTakeover() {
  const staged = await stagePasskeys({ AUTH_EMAIL_LOGIN_ENABLED: "true", AUTH_PERSONAL_TOKENS_ENABLED: "true" });
  const { rows, mailbox, browser, people } = staged;

  /** Registers a member with a proven address, whose mails of the registration have been read. */
  async function member(name: string): Promise<Person> {
    const person = await people.register(name);
    await nextMail(mailbox, person.email, "Verify your email");
    rows.prove(person);
    return person;
  }

  const inDays = (days: number): void => rows.letPass(days * 24 * hour);
  const thiefsAddress = ({ email }: Person): string => `thief.${email}`;

  /** Asks to move the account, as a signed-in thief who knows the password. Resolves to the token in the thief's mailbox. */
  async function pend(person: Person, by: Client): Promise<string> {
    const asked = await by.post(auth("profile"), { email: thiefsAddress(person), current_password: person.password });
    if (asked.status !== 200) throw new Error(`the address could not be asked for: ${asked.text}`);
    return mailedToken(mailbox, thiefsAddress(person), "Verify your email");
  }

  const confirmMove = (token: string): Promise<Answer> => browser().post(auth("email-verification/confirm"), { token });
  const undo = (token: string): Promise<Answer> => browser().post(auth("email-change/undo"), { token });
  const login = (name: string, password: string): Promise<Answer> =>
    browser().post(auth("login"), { login: name, password });

  /** Asks for a reset mail. Resolves to its token. */
  async function resetToken({ email }: Person): Promise<string> {
    await browser().post(auth("password-reset/request"), { login: email });
    return mailedToken(mailbox, email, "Reset your password");
  }
  const newPassword = "the owner walks by the sea";
  const confirmReset = (token: string, keep?: readonly string[]): Promise<Answer> =>
    browser().post(auth("password-reset/confirm"), {
      token,
      new_password: newPassword,
      ...(keep === undefined ? {} : { keep }),
    });
  const inspect = (token: string): Promise<Answer> => browser().post(auth("password-reset/inspect"), { token });

  /** Links a thief's identity at a provider by the row that the callback writes. Returns its id. */
  function linkIdentity(person: Person, name = "thief"): string {
    const id = crypto.randomUUID();
    rows.run(
      `insert into auth_identities (id, user_id, provider, issuer, subject, email, username, linked_at)
       values (?, ?, 'google', 'https://accounts.google.com', ?, ?, null, ?)`,
      id,
      person.id,
      crypto.randomUUID(),
      `${name}@evil.test`,
      Date.now(),
    );
    return id;
  }

  async function addPasskey(client: Client) {
    const authenticator = await createAuthenticator(origin);
    await add(client, authenticator);
    return authenticator;
  }
  const addApp = (person: Person) => giveAuthenticator(rows, person);

  return {
    ...staged,
    member,
    inDays,
    thiefsAddress,
    pend,
    confirmMove,
    undo,
    login,
    resetToken,
    newPassword,
    confirmReset,
    inspect,
    linkIdentity,
    addPasskey,
    addApp,
  };
}
