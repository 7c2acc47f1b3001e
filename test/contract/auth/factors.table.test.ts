import { expect, test } from "bun:test";
import { auth, claimsOf, nextMail, signInSubject } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import type { Answer, Client } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { add, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

// The table has every way in, except for providers, which have tests of their own; with every set of factors and every act.
const ways = ["password", "mail_link", "mail_code", "passkey"] as const;
type Way = (typeof ways)[number];
const states = { none: [], totp: ["totp"], passkey: ["passkey"], both: ["totp", "passkey"] } as const;
type State = keyof typeof states;
/** A thief's first acts, as far as they leave the account as it is. */
const acts = ["passkeys/register/options", "mfa/recovery-codes", "mfa/totp/setup"];

const { rows, mailbox, browser, register, ageProof } = await stagePasskeys({ AUTH_EMAIL_LOGIN_ENABLED: "true" });

async function holderOf(state: State) {
  const person = await register(state);
  const kinds: readonly string[] = states[state];
  const before = await person.login();
  const authenticator = await createAuthenticator(origin);
  if (kinds.includes("passkey")) await add(person.client, authenticator);
  const app = kinds.includes("totp") ? giveAuthenticator(rows, person) : undefined;
  return { person, before, authenticator, app, kinds };
}
type Holder = Awaited<ReturnType<typeof holderOf>>;

/** Signs in by that way in a new browser. */
async function come(way: Way, { person, authenticator }: Holder): Promise<{ client: Client; answer: Answer }> {
  const client = browser();
  const { email: login, password } = person;
  if (way === "passkey") return { client, answer: await signIn(client, authenticator) };
  if (way === "password") return { client, answer: await client.post(auth("login"), { login, password }) };
  await client.post(auth("email-login/request"), { login });
  const { text } = await nextMail(mailbox, login, signInSubject);
  const link = { token: /token=([\w-]+)/.exec(text)?.[1] };
  const proof = way === "mail_link" ? link : { login, code: /^\d{6}$/m.exec(text)?.[0] };
  return { client, answer: await client.post(auth("email-login/confirm"), proof) };
}

/** Answers the challenge of a sign-in by a factor, or by that recovery code. */
async function finish(method: string, { client, answer }: Awaited<ReturnType<typeof come>>, holder: Holder, code = "") {
  const challenge = answer.textAt("challenge");
  const asked = await client.get(`${auth("login/challenge")}?id=${challenge}`);
  const proof =
    method === "passkey"
      ? { credential: await holder.authenticator.get(asked.at("passkey_options")) }
      : { code: method === "totp" ? holder.app?.code() : code };
  expect((await client.post(auth("login/verify"), { challenge, method, ...proof })).status).toBe(200);
}

/** Resolves to the code by which each act is refused. */
async function refusals(client: Client): Promise<readonly unknown[]> {
  const answers: Answer[] = [];
  for (const path of acts) answers.push(await client.post(auth(path)));
  return answers.map((answer) => ([401, 403].includes(answer.status) ? answer.at("code") : undefined));
}
const all = (code: string | undefined): unknown[] => acts.map(() => code);
const isIn = async (client: Client): Promise<boolean> => (await client.get(auth("me"))).status === 200;

for (const state of ["none", "totp", "passkey", "both"] as const) {
  const holder = await holderOf(state);
  const hasPasskey = holder.kinds.includes("passkey");

  test.each(ways.filter((way) => way !== "passkey" || hasPasskey))(
    `M-78 with ${state}: whoever comes by %s gets nothing before a second factor, and everything after any of them`,
    async (way) => {
      const first = await come(way, holder);
      if (state === "none" || way === "passkey") {
        expect([first.answer.status, await isIn(first.client)]).toEqual([200, true]);
        expect(await refusals(first.client)).toEqual(all(undefined));
        return;
      }
      expect([first.answer.status, first.answer.at("code")]).toEqual([401, "mfa_required"]);
      expect(first.answer.at("methods")).toEqual(expect.arrayContaining([...holder.kinds]));
      expect([await isIn(first.client), await refusals(first.client)]).toEqual([false, all("unauthorized")]);
      let code = "";
      for (const method of [...holder.kinds, "recovery_code"]) {
        const arrived = await come(way, holder);
        await finish(method, arrived, holder, code);
        expect(claimsOf(arrived.client.cookie("auth_access") ?? "")["amr"]).toContain("mfa");
        expect(await refusals(arrived.client)).toEqual(all(undefined));
        const made = (await arrived.client.post(auth("mfa/recovery-codes"))).at("recovery_codes");
        [code = ""] = Object.values(Object(made)).map(String);
      }
    },
  );

  const proof = state === "none" ? "the password" : "a factor, and no password,";
  test(`M-78 with ${state}: a session from before takes ${proof} as a fresh proof`, async () => {
    const { before, person, app } = holder;
    ageProof(person);
    expect([await isIn(before), await refusals(before)]).toEqual([true, all("reauthentication_required")]);
    const password = await before.post(auth("reauthenticate"), { current_password: person.password });
    expect(password.status).toBe(state === "none" ? 200 : 403);
    if (app !== undefined) {
      expect((await before.post(auth("reauthenticate"), { method: "totp", code: app.code() })).status).toBe(200);
    } else if (hasPasskey) {
      const options = (await before.post(auth("reauthenticate/options"))).at("passkey_options");
      const credential = await holder.authenticator.get(options);
      expect((await before.post(auth("reauthenticate"), { method: "passkey", credential })).status).toBe(200);
    }
    expect(await refusals(before)).toEqual(all(undefined));
  });
}
