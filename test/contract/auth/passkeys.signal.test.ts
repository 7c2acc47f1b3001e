import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createAuthenticator } from "../../support/authenticator.ts";
import { add, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

const { browser, register, withPasskey, rows } = await stagePasskeys();

describe("M-95 what devices are told of passkeys", () => {
  test("is which ones of this domain the account has, and what it is called", async () => {
    const { person, authenticator, id } = await withPasskey("ada");
    const other = await createAuthenticator(origin);
    await add(person.client, other);
    const elsewhere = await createAuthenticator(origin);
    await add(person.client, elsewhere);
    rows.run("update auth_passkeys set rp_id = 'elsewhere.example' where credential_id = ?", elsewhere.credentialId);
    const handle = (await person.client.post(auth("passkeys/register/options"))).textAt("options.user.id");
    const signal = () => person.client.get(auth("passkeys/signal"));
    expect((await signal()).at("signal")).toEqual({
      rpId: "auth.example.test",
      userId: handle,
      allAcceptedCredentialIds: expect.arrayContaining([authenticator.credentialId, other.credentialId]),
      name: person.username,
      displayName: expect.any(String),
    });
    expect((await signal()).at("signal.allAcceptedCredentialIds")).toHaveLength(2);
    await person.client.post(auth(`passkeys/${id}/remove`));
    expect((await signal()).at("signal.allAcceptedCredentialIds")).toEqual([other.credentialId]);
  });

  test("is nothing of an account that never had one, and nothing for strangers", async () => {
    const { client } = await register("grace");
    expect((await client.get(auth("passkeys/signal"))).at("signal")).toBeNull();
    expect((await browser().get(auth("passkeys/signal"))).status).toBe(401);
  });

  test("is that nobody has one, and of no other refusal", async () => {
    const { person, authenticator, id } = await withPasskey("lin");
    rows.run("update users set active = 0 where id = ?", person.id);
    const inactive = await signIn(browser(), authenticator);
    expect([inactive.at("code"), inactive.at("unknown_passkey")]).toEqual(["invalid_credentials", undefined]);
    const forged = await signIn(browser(), authenticator, { forged: true });
    expect([forged.at("code"), forged.at("unknown_passkey")]).toEqual(["invalid_credentials", undefined]);
    rows.run("delete from auth_passkeys where id = ?", id);
    const gone = await signIn(browser(), authenticator);
    expect([gone.at("code"), gone.at("unknown_passkey")]).toEqual(["invalid_credentials", true]);
  });
});
