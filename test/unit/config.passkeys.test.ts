import { describe, expect, test } from "bun:test";
import { readStart } from "../../src/cli/app/start.ts";
import { loadConfig } from "../../src/config/index.ts";
import { randomToken } from "../../src/core/crypto.ts";
import { createMaker } from "../support/attestation.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";

const model = "2fc0579f-8113-47ea-b116-bb5a8db9202a";
const direct = { AUTH_PASSKEY_ATTESTATION: "direct", AUTH_PASSKEY_AAGUIDS: model };

/** Returns what a start says about these settings: nothing, or why it is refused. */
function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  const loaded = loadConfig({ app: definitions.app, env: { ...testEnvironment("/nowhere"), ...env } });
  return loaded.ok ? [] : loaded.problems;
}

describe("M-94 which passkeys are taken", () => {
  test("is said by models, and by certificates of their makers", async () => {
    const maker = await createMaker("Example Keys");
    expect(problemsOf({ ...direct, AUTH_PASSKEY_ROOTS: maker.root })).toEqual([]);
    expect(problemsOf({ ...direct, AUTH_PASSKEY_ROOTS: `${maker.root}${maker.root}`.replaceAll("\n", "\\n") })).toEqual(
      [],
    );
    await maker.forget();
  });

  test.each([
    [{ AUTH_PASSKEY_ATTESTATION: "direct" }, "AUTH_PASSKEY_ATTESTATION=direct needs AUTH_PASSKEY_AAGUIDS"],
    [{ AUTH_PASSKEY_AAGUIDS: model }, "AUTH_PASSKEY_AAGUIDS is looked at with AUTH_PASSKEY_ATTESTATION=direct alone"],
    [{ ...direct, AUTH_PASSKEY_AAGUIDS: `${model},YubiKey` }, "AUTH_PASSKEY_AAGUIDS must be AAGUIDs such as"],
    [{ ...direct, AUTH_PASSKEY_ROOTS: "/etc/roots.pem" }, "AUTH_PASSKEY_ROOTS must be certificates in PEM form"],
    [
      { ...direct, AUTH_PASSKEY_ROOTS: "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----" },
      "AUTH_PASSKEY_ROOTS is wrong in certificate 1, which is none of an authority",
    ],
    [{ AUTH_PASSKEY_ATTESTATION: "indirect" }, "AUTH_PASSKEY_ATTESTATION must be one of none, direct"],
  ])("%p is refused", (env, complaint) => {
    expect(problemsOf(env).join("\n")).toContain(complaint);
  });

  test("by what models say of themselves is told of at a start", async () => {
    const env = {
      ...direct,
      APP_ENV: "staging",
      APP_URL: "https://auth.example.com",
      API_JWT_SECRET_KEY: randomToken(),
      APP_KEY: randomToken(),
      APP_DIAG_TOKEN: randomToken(),
    };
    const terminal = { env, out() {}, err() {}, readSecret: () => Promise.resolve("") };
    const { warnings } = await readStart(definitions.app, terminal, { onlyLooks: true });
    expect(warnings).toContain(
      "AUTH_PASSKEY_ATTESTATION=direct without AUTH_PASSKEY_ROOTS: a program that pretends to be one of the models is believed",
    );
  });
});
