import { auth, expectRefusal, minute, type Person } from "../../support/auth.ts";
import { createAuthenticator, type Algorithm, type Authenticator, type Tweaks } from "../../support/authenticator.ts";
import type { Answer, Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

export const origin = "https://auth.example.test";
/** The cookie that binds the challenge of a sign-in to the browser. */
export const cookie = "__Host-auth_passkey";

export const creationOptions = async (client: Client): Promise<unknown> =>
  (await client.post(auth("passkeys/register/options"))).at("options");
export const requestOptions = async (client: Client): Promise<unknown> =>
  (await client.post(auth("passkeys/login/options"))).at("options");

export const add = async (client: Client, authenticator: Authenticator, tweaks: Tweaks = {}, name?: string) =>
  client.post(auth("passkeys/register/verify"), {
    credential: await authenticator.create(await creationOptions(client), tweaks),
    ...(name === undefined ? {} : { name }),
  });

export const signIn = async (client: Client, authenticator: Authenticator, tweaks: Tweaks = {}, fields: object = {}) =>
  client.post(auth("passkeys/login/verify"), {
    credential: await authenticator.get(await requestOptions(client), tweaks),
    ...fields,
  });

export const expectInvalidChallenge = (answer: Answer): void =>
  expectRefusal(answer, 401, "the sign-in has expired or was begun elsewhere: sign in again", "invalid_challenge");

/** Starts a service whose people have passkeys. */
export async function stagePasskeys(env: Readonly<Record<string, string>> = {}) {
  const staged = await stage({ env: { APP_URL: origin, ...env } });
  const { rows, people } = staged;

  /** Registers a person with a proven address: mails go to proven addresses only. */
  async function register(name: string): Promise<Person> {
    const person = await people.register(name);
    rows.prove(person);
    return person;
  }

  return {
    ...staged,
    register,

    async withPasskey(name: string, algorithm: Algorithm = "ES256") {
      const person = await register(name);
      const authenticator = await createAuthenticator(origin, algorithm);
      const added = await add(person.client, authenticator);
      if (added.status !== 200) throw new Error(added.text);
      return { person, authenticator, id: added.textAt("passkey.id") };
    },

    /** Waits until the audit log has a refusal for that reason. */
    async refusalIn(reason: string): Promise<void> {
      const deadline = performance.now() + minute;
      while (rows.count("audit_events where outcome = 'failure' and reason = ?", reason) === 0) {
        if (performance.now() > deadline) throw new Error(`no refusal for ${reason}`);
        await Bun.sleep(20);
      }
    },

    /** Makes the session's proof too old for acts that would hurt in other hands. */
    ageProof: ({ id }: Person): number =>
      rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 11 * minute, id),
  };
}
