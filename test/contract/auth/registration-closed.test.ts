import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appearance, auth, expectRefusal, nextMail } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { startWorld, type Newcomer, type World } from "../../support/oauth/world.ts";
import { startTarget, type Target } from "../../support/target.ts";

// Both targets serve one database. People register at the first one, where registration is open.
let world: World;
let closed: Target;
beforeAll(async () => {
  world = await startWorld({ AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" }, { shared: true });
  closed = await startTarget({
    env: { ...world.target.env, AUTH_REGISTRATION_ENABLED: "false" },
    migrate: false,
    shared: true,
  });
});
afterAll(async () => {
  await closed.stop();
  await world.stop();
});

const password = "a long walk by the sea";
const browser = (): Client => createClient(closed.url);
const refused = (answer: Answer): void => expectRefusal(answer, 403, "registration is closed", "registration_closed");
const accounts = (): number => world.rows.count("users");

/** Resolves to the address of a person who registered while that was possible, and has verified it. */
async function registered(name: string): Promise<string> {
  const email = `${name}.${crypto.randomUUID().slice(0, 8)}@people.test`;
  await createClient(world.target.url).post(auth("register"), { email, password });
  await nextMail(world.mailbox, email, "Verify your email");
  world.rows.run("update users set email_verified_at = 1 where email = ?", email);
  return email;
}

/** Signs in as a newcomer of the provider. */
const arrive = ({ account }: Newcomer): Promise<Answer> => signInWith(browser(), world.google, account);

describe("A-01 where registration is closed", () => {
  test("registering is refused, whatever is sent, and leaves nothing behind", async () => {
    const email = await registered("ada");
    const [before, counters] = [accounts(), world.rows.count("auth_attempts")];
    const bodies = [
      { email: "new@people.test", password },
      { email, password },
      { email: "no address" },
      {},
      undefined,
    ];
    for (const body of bodies) refused(await browser().post(auth("register"), body));
    expect([accounts(), world.rows.count("auth_attempts")]).toEqual([before, counters]);
  });

  test("a provider's newcomer is refused, in JSON and on the sign-in page", async () => {
    const before = accounts();
    const ada = world.newcomer("ada");
    refused(await arrive(ada));
    const page = browser();
    const response = await approve(world.google, await begin(page, world.google), ada.account);
    const answer = await deliver(page, response, { headers: { accept: "text/html" } });
    expect(answer.headers.get("location")).toEndWith("/login?oauth_error=registration_closed");
    expect(page.cookie("auth_refresh")).toBeUndefined();
    expect(accounts()).toBe(before);
  });

  test("where addresses must be verified, one that the provider does not vouch for is refused alike whether or not it has an account", async () => {
    const look = async (email: string | undefined) => {
      const answer = await arrive(world.newcomer("eve", { emailVerified: false, ...(email && { email }) }));
      refused(answer);
      const { status, body, headers } = appearance(answer);
      return { status, body, headers: headers.filter(([name]) => name !== "content-length") };
    };
    expect(await look(await registered("grace"))).toEqual(await look(undefined));
  });

  test("people who have an account sign in, by password and with their provider", async () => {
    const login = await registered("ada");
    expect((await browser().post(auth("login"), { login, password })).status).toBe(200);
    const grace = world.newcomer("grace");
    await signInWith(createClient(world.target.url), world.google, grace.account);
    const again = await arrive(grace);
    expect([again.status, again.headers.get("location")]).toEqual([303, "/"]);
  });
});
