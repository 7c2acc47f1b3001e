import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { auth, type Person } from "../support/auth.ts";
import { sharedFolder } from "../support/folder.ts";
import { createPageVisitor, hiddenFields, titleOf } from "../support/staff.ts";
import { issuerStage } from "./counterpart.fixture.ts";
import { oidcAgentMissing, startOidcAgent, type OidcAgent } from "./oidc.agent.ts";

const { issuer, kit, people } = await issuerStage();

// oidc-agent, as Debian ships it: it signs in by a code that its person types in a browser, and keeps tokens for scripts.
describe.skipIf(oidcAgentMissing !== undefined)(
  `oidc-agent${oidcAgentMissing === undefined ? "" : ` (${oidcAgentMissing})`}`,
  () => {
    const folder = sharedFolder();
    let clientId: string;
    let ada: Person;
    let agent: OidcAgent;
    beforeAll(async () => {
      ada = await people.register("ada");
      const shell = await kit.register("Shell", "--type", "native", "--redirect-uri", "http://localhost/");
      clientId = shell.client_id;
      agent = await startOidcAgent(folder);
      await agent.generate(["--iss", issuer, "--client-id", clientId, "--client-secret="], async (code) => {
        const visitor = createPageVisitor(issuer, ada.client);
        const page = await visitor.submit("/device", { user_code: code });
        const fields = { ...hiddenFields(page.text, "/oauth2/device"), decision: "allow" };
        expect(titleOf(await visitor.send("/oauth2/device", fields))).toBe("Your device is signed in");
      });
    }, 60_000);
    afterAll(() => agent.stop());

    async function token(...flags: string[]): Promise<string> {
      const { code, stdout, stderr } = await agent.token(...flags);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout.trim();
    }

    test("has the tokens of the person who has typed its code, though it keeps no secret", async () => {
      expect((await kit.userinfo(await token())).json).toMatchObject({ sub: ada.id });
      const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
      const { payload } = await jwtVerify(await token("--id-token"), keys, { issuer, audience: clientId });
      expect(payload).toMatchObject({ sub: ada.id, preferred_username: expect.any(String) });
    });

    test("refreshes them, and goes on with the last ones after a restart", async () => {
      const tokens = [await token(), await token("--force-new"), await token("--force-new")];
      await agent.stop();
      agent = await startOidcAgent(folder);
      expect(await agent.load()).toMatchObject({ code: 0 });
      tokens.push(await token());
      expect(new Set(tokens).size).toBe(4);
      expect((await kit.userinfo(tokens[3] ?? "")).json).toMatchObject({ sub: ada.id });
    });

    test("has none that are good once its person takes back what it holds", async () => {
      const held = await token();
      expect((await ada.client.post(auth("apps/revoke"), { client_id: clientId })).status).toBe(200);
      expect((await kit.userinfo(held)).status).toBe(401);
      const { code, stdout, stderr } = await agent.token("--force-new");
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toStartWith("Error: invalid_grant: The refresh token is not good.");
    });
  },
);
