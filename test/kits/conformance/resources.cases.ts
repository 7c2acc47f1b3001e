import { describe, expect, test } from "bun:test";
import { idpKit } from "../../contract/idp/idp.fixture.ts";
import { createClient } from "../../support/client.ts";
import { fresh, publicUrl, refusalOf, resource, unauthorized, type Suite } from "./suite.ts";

const metadata = new URL("/.well-known/oauth-protected-resource/v1", resource);

/** What programs learn of an app that is told its address (RFC 9728), and which of their tokens it takes (RFC 8707). */
export function resourceCases({ target, people, open, closed, browserOf }: Suite): void {
  describe("programs", () => {
    const by = (token: string, url = closed()) =>
      createClient(url).get("/whoami", { headers: { authorization: `Bearer ${token}` } });

    test("Q-07 find out where they get tokens, by themselves and from a refusal", async () => {
      const told = await createClient(closed()).get(metadata.pathname);
      expect({ status: told.status, json: told.json, open: told.headers.get("access-control-allow-origin") }).toEqual({
        status: 200,
        json: { resource, authorization_servers: [publicUrl], bearer_methods_supported: ["header"] },
        open: "*",
      });
      const asked = await createClient(closed()).request("OPTIONS", metadata.pathname);
      expect([asked.status, asked.headers.get("access-control-allow-headers")]).toEqual([204, "*"]);
      const refused = await createClient(closed()).get("/whoami");
      expect(refused.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata.href}"`);
      const wrong = await by("x");
      expect(wrong.headers.get("www-authenticate")).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadata.href}"`,
      );
      expect((await createClient(open()).get(metadata.pathname)).status).not.toBe(200);
    });

    test("Q-07 are let in by a token that names the app, and by no other", async () => {
      const kit = idpKit(target);
      const [ada, shop] = [await people.register("ada"), await kit.register(`Shop ${fresh()}`)];
      const tokenFor = async (named?: string): Promise<string> =>
        (await kit.signIn(ada.client, shop, { scope: "openid email", resource: named })).textAt("access_token");
      const [named, other, plain] = [
        await tokenFor(resource),
        await tokenFor("https://other.example.test"),
        await tokenFor(),
      ];
      const answer = await by(named);
      expect([answer.status, answer.at("id"), answer.at("roles")]).toEqual([200, ada.id, []]);
      for (const token of [other, plain]) expect(refusalOf(await by(token))).toEqual(unauthorized);
      // An app that no program knows as a resource takes the tokens of the operator's own programs that name none.
      expect([(await by(plain, open())).status, (await by(named, open())).status]).toEqual([200, 401]);
      expect((await browserOf(ada, closed()).get("/whoami")).at("id")).toBe(ada.id);
    });
  });
}
