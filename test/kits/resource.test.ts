import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { idpEnvironment, idpKit } from "../contract/idp/idp.fixture.ts";
import { press } from "../contract/idp/pages.fixture.ts";
import { secretsOf } from "../support/auth.ts";
import { sharedFolder } from "../support/folder.ts";
import { stage } from "../support/stage.ts";
import { installPackage, npmMissing, startExample } from "./installed.fixture.ts";

// The app is the one of the manual, as it is printed, with the package that npm has installed.
const { target, people } = await stage({ ownProcess: true, env: idpEnvironment });
const kit = idpKit(target);
const resource = "https://tools.example.com/mcp";
const metadata = "https://tools.example.com/.well-known/oauth-protected-resource/mcp";
const folder = sharedFolder();

describe.skipIf(npmMissing !== undefined)(
  `a resource server${npmMissing === undefined ? "" : ` (${npmMissing})`}`,
  () => {
    let [url, stop] = ["", (): Promise<void> => Promise.resolve()];
    beforeAll(async () => {
      const app = await installPackage(folder);
      const started = { app, runtime: process.execPath, gatehouse: target.url };
      ({ url, stop } = await startExample("A resource server", started));
    }, 60_000);
    afterAll(() => stop());
    const call = (token: string): Promise<Response> => fetch(url, { headers: { authorization: `Bearer ${token}` } });

    test("tells programs, also those in browsers, where its tokens come from", async () => {
      const path = new URL(metadata).pathname;
      const described = await fetch(`${url}${path}`);
      expect([described.status, described.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
      expect(await described.json()).toEqual({
        resource,
        authorization_servers: ["https://app.example.com"],
        bearer_methods_supported: ["header"],
        resource_name: "Tools",
        scopes_supported: ["openid"],
      });
      expect((await fetch(`${url}${path}`, { method: "OPTIONS" })).status).toBe(204);
      expect((await fetch(`${url}${path}`, { method: "POST" })).status).toBe(405);
      const refused = await fetch(url);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer resource_metadata="${metadata}"`,
      ]);
    });

    test("Q-07 serves a program of others whose person was asked about it, and nobody by a token for another one", async () => {
      const ada = await people.register("ada");
      const partner = await kit.register("Partner", "--third-party");
      const tokenFor = async (named?: string): Promise<string> => {
        const asked = { scope: "openid", ...(named !== undefined && { resource: named }) };
        const page = await kit.authorize(ada.client, partner, asked);
        const told = kit.told(await press(ada.client, page, "Allow"));
        return (await kit.swap(partner, told.get("code"))).textAt("access_token");
      };
      const other = await tokenFor("https://tools.example.com/other");
      const own = await tokenFor(resource);
      expect(await (await call(own)).json()).toEqual({ of: ada.id, program: partner.client_id });
      const refused = await call(other);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer error="invalid_token", resource_metadata="${metadata}"`,
      ]);
      // The person themselves needs no such token.
      expect(await (await call(secretsOf(ada.client).access)).json()).toEqual({ of: ada.id, program: null });
      await ada.client.post("/api/v1/auth/apps/revoke", { client_id: partner.client_id });
      expect((await call(own)).status).toBe(401);
    });
  },
);
