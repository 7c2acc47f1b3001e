import { describe, expect, test } from "bun:test";
import { appearance, auth, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { startGate } from "../hook/hook.fixture.ts";

const password = "a long walk by the sea";
const version = "2026-11";
const silent = { AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" };
const terms = { APP_TERMS_URL: "https://example.test/terms", APP_TERMS_VERSION: version };
const [allowing, denying] = [startGate("allowing"), startGate("denying")];

const domains = (allowed: string) => ({ AUTH_REGISTRATION_DOMAINS: allowed });
const settings: readonly { what: string; env: Readonly<Record<string, string>>; isAllowed: boolean }[] = [
  { what: "there are terms", env: terms, isAllowed: true },
  { what: "its domain is not allowed", env: domains("example.test"), isAllowed: false },
  { what: "its domain is, and there are terms", env: { ...terms, ...domains("people.test") }, isAllowed: true },
  { what: "a hook allows", env: allowing.env, isAllowed: true },
  { what: "a hook denies", env: denying.env, isAllowed: true },
];

describe.each(settings)("H-66 where addresses must be verified and $what", ({ what, env, isAllowed }) => {
  test("a stranger with an address that no provider vouches for learns at no step whether it has an account", async () => {
    const world = await stageWorld({ ...silent, ...env });

    /** Makes an account by the password; where the domain is not allowed, by a move of an account that is there. */
    async function taken(): Promise<string> {
      const email = `ada.${crypto.randomUUID().slice(0, 8)}@people.test`;
      const registered = isAllowed ? email : email.replace("people.test", "example.test");
      const body = { email: registered, password, accepted_terms: version };
      expect((await createClient(world.target.url).post(auth("register"), body)).status).toBe(200);
      await nextMail(world.mailbox, registered, "Verify your email");
      world.rows.run("update users set email = ?, email_key = ? where email = ?", email, email, registered);
      return email;
    }

    /** Resolves to all that a stranger sees who comes twice, and who accepts terms where they are asked for. */
    async function seen(email: string | undefined) {
      const { account } = world.newcomer("stranger", {
        emailVerified: false,
        ...(email === undefined ? {} : { email }),
      });
      const answers = [];
      for (let time = 0; time < 2; time += 1) {
        const client = world.browser();
        const steps = [await signInWith(client, world.google, account)];
        const led = new URL(steps[0]?.headers.get("location") ?? "", "https://gatehouse.example.test");
        const state = led.searchParams.get("newcomer");
        if (state !== null)
          steps.push(await client.post(auth("oauth/google/register"), { state, accepted_terms: version }));
        for (const step of steps) {
          const { status, body, headers } = appearance(step);
          const shown = headers
            .filter(([name]) => name !== "content-length" && name !== "location")
            .map(([name, value]) => [name, value.replace(/auth_oauth=[\w-]+/, "auth_oauth=BINDING")]);
          const at = step.headers.get("location")?.replace(state ?? "none", "STATE");
          answers.push({ status, body, shown, at });
        }
      }
      return answers;
    }

    if (what === "a hook denies") denying.answer(() => Response.json({ decision: "allow" }));
    const address = await taken();
    if (what === "a hook denies") denying.deny("before.register");
    const gate = env === allowing.env ? allowing : denying;
    const before = gate.points().length;
    const free = await seen(undefined);
    const askedOfFree = gate.points().slice(before, before + 1);
    const between = gate.points().length;
    expect(await seen(address)).toEqual(free);
    expect(gate.points().slice(between, between + 1)).toEqual(askedOfFree);
    expect(world.rows.count("auth_identities where email = ?", address)).toBe(0);
  });
});
