import { describe, expect, test } from "bun:test";
import { auth, nextMail, signInSubject } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import type { Answer, Client } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { add, origin, signIn, stagePasskeys } from "../auth/passkeys.fixture.ts";
import { invitationKit, password } from "../invitations/invitation.fixture.ts";
import { startGate } from "./hook.fixture.ts";

// Everything by which somebody gets a session, each refused by a hook and then let in.
const gate = startGate("gate", { POINTS: "before.register,before.sign-in" });
const staged = await stagePasskeys({ ...gate.env, AUTH_EMAIL_LOGIN_ENABLED: "true" });
const { rows, mailbox, browser, register } = staged;
const invitations = await invitationKit(staged);
let count = 0;

interface Scene {
  readonly client: Client;
  readonly email: string;
  /** Comes once; a proof that was refused has to go on being good, or is asked for anew. */
  come(): Promise<Answer>;
}

async function holder() {
  const person = await register("holder");
  return { person, client: browser(), email: person.email };
}
async function mailedProof(client: Client, login: string) {
  await client.post(auth("email-login/request"), { login });
  const { text } = await nextMail(mailbox, login, signInSubject);
  return { token: /token=([\w-]+)/.exec(text)?.[1], code: /^\d{6}$/m.exec(text)?.[0] };
}

const ways: Readonly<Record<string, () => Promise<Scene>>> = {
  async password() {
    const { person, client, email } = await holder();
    return { client, email, come: () => client.post(auth("login"), { login: email, password: person.password }) };
  },
  async "link of a mail"() {
    const { client, email } = await holder();
    const { token } = await mailedProof(client, email);
    return { client, email, come: () => client.post(auth("email-login/confirm"), { token }) };
  },
  async "code of a mail"() {
    const { client, email } = await holder();
    const { code } = await mailedProof(client, email);
    return { client, email, come: () => client.post(auth("email-login/confirm"), { login: email, code }) };
  },
  async passkey() {
    const { person, client, email } = await holder();
    const authenticator = await createAuthenticator(origin);
    await add(person.client, authenticator);
    return { client, email, come: () => signIn(client, authenticator) };
  },
  async "authenticator app"() {
    const { person, client, email } = await holder();
    const app = giveAuthenticator(rows, person);
    const first = await client.post(auth("login"), { login: email, password: person.password });
    const challenge = first.textAt("challenge");
    // The first of two proofs lets nobody in, and nobody is asked.
    expect(gate.points().filter((point) => point === "before.sign-in")).toHaveLength(1);
    return {
      client,
      email,
      come: () => client.post(auth("login/verify"), { challenge, method: "totp", code: app.code() }),
    };
  },
  async registration() {
    const [client, email] = [browser(), `newcomer${(count += 1)}@example.test`];
    return { client, email, come: () => client.post(auth("register"), { email, password }) };
  },
  async invitation() {
    const [client, email] = [browser(), `invited${(count += 1)}@example.test`];
    await invitations.invite(email);
    const token = await invitations.tokenTo(email);
    return { client, email, come: () => client.post(auth("invitation/accept"), { token, password }) };
  },
};
const makesAccounts = ["registration", "invitation"];

describe("H-38 each way in is refused where before.sign-in says so, and open again once it does not:", () => {
  test.each(Object.keys(ways))("%s", async (way) => {
    const scene = await ways[way]?.();
    if (scene === undefined) throw new Error(way);
    const { client, email, come } = scene;
    const sessions = (): number =>
      rows.count("auth_sessions s join users u on u.id = s.user_id where u.email = ?", email);
    const before = sessions();
    gate.deny("before.sign-in", "Not today.");
    const refused = await come();
    expect([refused.status, refused.at("code"), refused.at("error")]).toEqual([403, "denied_by_hook", "Not today."]);
    expect([sessions(), (await client.get(auth("me"))).status]).toEqual([before, 401]);
    if (makesAccounts.includes(way)) expect(rows.count("users where email = ?", email)).toBe(0);
    expect(gate.points().at(-1)).toBe("before.sign-in");
    gate.deny("never");
    expect((await come()).status).toBe(200);
    expect((await client.get(auth("me"))).status).toBe(200);
  });

  test.each(makesAccounts)("%s, by before.register too", async (way) => {
    const scene = await ways[way]?.();
    if (scene === undefined) throw new Error(way);
    gate.deny("before.register", "Not you.");
    const refused = await scene.come();
    expect([refused.status, refused.at("error")]).toEqual([403, "Not you."]);
    expect([gate.points().at(-1), rows.count("users where email = ?", scene.email)]).toEqual(["before.register", 0]);
    gate.deny("never");
    expect((await scene.come()).status).toBe(200);
  });
});

const worldGate = startGate("world", { POINTS: "before.register,before.sign-in" });
const world = await stageWorld(worldGate.env);

test.each(["github", "google"] as const)("H-38 %s, for a newcomer and for an account that is there", async (name) => {
  const ada = world.newcomer("ada");
  const come = async () => signInWith(world.browser(), world[name], ada.account);
  for (const point of ["before.register", "before.sign-in"]) {
    worldGate.deny(point, "Not here.");
    const refused = await come();
    expect([refused.status, refused.at("code") ?? refused.headers.get("location")]).toEqual([403, "denied_by_hook"]);
    expect(world.rows.count("users where email = ?", ada.email)).toBe(0);
  }
  worldGate.deny("never");
  expect((await come()).status).toBe(303);
  worldGate.deny("before.sign-in");
  expect((await come()).status).toBe(403);
  expect(worldGate.asked().at(-1)?.data["method"]).toBe("provider");
});
