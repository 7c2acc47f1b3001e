import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { pythonMissing, pythonPackages, type PythonPackages } from "../support/python.ts";
import { signingPair } from "../support/signing.pair.ts";
import { issuerStage, travel } from "./counterpart.fixture.ts";

const program = join(import.meta.dir, "programs", "authlib.program.py");
const { issuer, kit, people, target } = await issuerStage({
  // Authlib's resource servers take no EdDSA, and have no setting for it.
  API_JWT_PRIVATE_KEY: signingPair("ES256").privatePem,
});

describe.skipIf(pythonMissing !== undefined)(
  `Authlib${pythonMissing === undefined ? "" : ` (${pythonMissing})`}`,
  () => {
    let python: PythonPackages;
    beforeAll(async () => {
      python = await pythonPackages();
    }, 360_000);

    async function speak(said: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
      const { code, stdout, stderr } = await python.run("python", [program], {
        cwd: target.folder,
        stdin: JSON.stringify(said),
        // The issuer of this run is on loopback, without TLS.
        env: { AUTHLIB_INSECURE_TRANSPORT: "1" },
      });
      if (code !== 0) throw new Error(`Authlib ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    }

    test.each(["client_secret_basic", "client_secret_post"])(
      "signs a person in by %s, checks the ID token, refreshes, and has access tokens taken where they are meant for",
      async (method) => {
        const ada = await people.register("ada");
        const redirectUri = "http://127.0.0.1:9/callback";
        const shop = await kit.register(`Shop by ${method}`, "--redirect-uri", redirectUri);
        const facts = { issuer, ...shop, redirect_uri: redirectUri, resource: "https://api.example.test", method };
        const { url, ...kept } = await speak({ ...facts, do: "begin" });
        const { at } = await travel([ada.client], String(url));
        expect(await speak({ ...facts, ...kept, do: "finish", callback: at.href })).toMatchObject({
          claims: { iss: issuer, aud: shop.client_id, sub: ada.id, email: ada.email },
          userinfo: { sub: ada.id, email: ada.email },
          is_new: true,
          taken: { sub: ada.id, client_id: shop.client_id },
          elsewhere: null,
          without_scope: null,
          asked: { active: true, taken: true, sub: ada.id, aud: "https://api.example.test" },
          revoked: { active: false, taken: false },
        });
      },
    );
  },
);
