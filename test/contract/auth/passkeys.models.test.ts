import { afterAll, describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createMaker } from "../../support/attestation.ts";
import { createAuthenticator, type Tweaks } from "../../support/authenticator.ts";
import { add, origin, signIn, stagePasskeys } from "./passkeys.fixture.ts";

const model = "11111111-2222-3333-4444-555555555555";
const other = "99999999-2222-3333-4444-555555555555";
const maker = await createMaker("Example Keys");
const stranger = await createMaker("Example Keys");
afterAll(() => Promise.all([maker.forget(), stranger.forget()]));
type Staged = Awaited<ReturnType<typeof stagePasskeys>>;

/** Resolves to how the service answers a passkey that was made like this. */
async function addedTo({ register }: Staged, tweaks: Tweaks) {
  const { client } = await register("ada");
  const authenticator = await createAuthenticator(origin);
  const answer = await add(client, authenticator, tweaks);
  return { answer, authenticator };
}

const app = await stagePasskeys({
  AUTH_PASSKEY_ATTESTATION: "direct",
  AUTH_PASSKEY_AAGUIDS: `00000000-0000-0000-0000-000000000000,${model.toUpperCase()}`,
  AUTH_PASSKEY_ROOTS: maker.root.replaceAll("\n", "\\n"),
});

describe("M-94 where only certain models are taken", () => {
  test("browsers are asked for what authenticators say of themselves, and to look for a security key", async () => {
    const { client } = await app.register("grace");
    const options = await client.post(auth("passkeys/register/options"));
    expect([options.at("options.attestation"), options.at("options.hints")]).toEqual(["direct", ["security-key"]]);
  });

  test.each([{ aaguid: model }, {}])("one that its maker vouches for is taken: %p", async (said) => {
    const { answer, authenticator } = await addedTo(app, {
      aaguid: model,
      format: "packed",
      attest: await maker.model(said),
    });
    expect(answer.status).toBe(200);
    expect((await signIn(app.browser(), authenticator)).status).toBe(200);
  });

  test.each([
    ["says nothing of itself", async () => ({ aaguid: model })],
    ["says nothing, of no model", async () => ({})],
    ["vouches for itself", async () => ({ aaguid: model, format: "packed", statement: new Map() })],
    [
      "is of another model of that maker",
      async () => ({ aaguid: other, format: "packed", attest: await maker.model({ aaguid: other }) }),
    ],
    [
      "has the certificate of another model",
      async () => ({ aaguid: model, format: "packed", attest: await maker.model({ aaguid: other }) }),
    ],
    [
      "is of a maker of the same name whom nobody has named",
      async () => ({ aaguid: model, format: "packed", attest: await stranger.model({ aaguid: model }) }),
    ],
    [
      "has a certificate that is for something else",
      async () => ({ aaguid: model, format: "packed", attest: await maker.model({ unit: "Something Else" }) }),
    ],
    [
      "has signed something else",
      async () => {
        const attest = await maker.model({ aaguid: model });
        return { aaguid: model, format: "packed", attest: () => attest(new Uint8Array(69)) };
      },
    ],
    [
      "has what is no certificate",
      async () => ({ aaguid: model, format: "packed", statement: new Map([["x5c", [new Uint8Array(64)]]]) }),
    ],
    [
      "hides a certificate of that maker, as text, within one that it made itself",
      async () => {
        const genuine = (await maker.model({ aaguid: model }))(new Uint8Array()).get("x5c");
        const text = Buffer.from(Array.isArray(genuine) ? genuine[0] : "").toString("base64");
        const lines = ["-----BEGIN CERTIFICATE-----", ...(text.match(/.{1,64}/g) ?? []), "-----END CERTIFICATE-----"];
        const hidden = `\n${lines.join("\n")}\n`;
        return { aaguid: model, format: "packed", attest: await stranger.model({ aaguid: model, hidden }) };
      },
    ],
    [
      "says it in another way",
      async () => ({ aaguid: model, format: "tpm", attest: await maker.model({ aaguid: model }) }),
    ],
  ] as const)("one that %s is refused", async (_, made) => {
    const tweaks: Tweaks = await made();
    const { answer } = await addedTo(app, tweaks);
    expect([answer.status, answer.at("code"), answer.at("fields.credential.code")]).toEqual([
      400,
      "invalid_payload",
      "authenticator_not_allowed",
    ]);
  });
});

test("M-94 without certificates of makers a model is believed what it says, if it says anything", async () => {
  const lenient = await stagePasskeys({ AUTH_PASSKEY_ATTESTATION: "direct", AUTH_PASSKEY_AAGUIDS: model });
  const said = { aaguid: model, format: "packed", attest: await stranger.model({ aaguid: model }) };
  expect((await addedTo(lenient, said)).answer.status).toBe(200);
  const silent = await addedTo(lenient, { aaguid: model });
  expect(silent.answer.at("fields.credential.code")).toBe("authenticator_not_allowed");
});

test("browsers are told where a passkey was that is asked for as a second step", async () => {
  const { register, browser, rows } = await stagePasskeys();
  const person = await register("grace");
  for (const transports of [
    ["usb", "nfc"],
    ["hybrid", "internal"],
  ])
    await add(person.client, await createAuthenticator(origin), { transports });
  const hints = async () => {
    const other = browser();
    const answer = await other.post(auth("login"), { login: person.email, password: person.password });
    const challenge = await other.get(auth(`login/challenge?id=${answer.textAt("challenge")}`));
    return challenge.at("passkey_options.hints");
  };
  rows.run("update auth_passkeys set last_used_at = created_at + 1000 where transports like 'usb%'");
  expect(await hints()).toEqual(["security-key", "hybrid", "client-device"]);
  rows.run("update auth_passkeys set last_used_at = created_at + 2000 where transports like 'hybrid%'");
  expect(await hints()).toEqual(["hybrid", "client-device", "security-key"]);
});
