import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, isServed, type Person } from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { freePort } from "../support/proxy.ts";
import { apacheMissing, startApache } from "./apache.ts";
import { issuerStage, travel } from "./counterpart.fixture.ts";

const { issuer, kit, people } = await issuerStage();

// mod_auth_openidc, as Debian ships it: a server that knows nothing of Gatehouse but its issuer guards a page.
describe.skipIf(apacheMissing !== undefined)(
  `Apache${apacheMissing === undefined ? "" : ` (${apacheMissing})`}`,
  () => {
    const folder = sharedFolder();
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    let apache: Awaited<ReturnType<typeof startApache>>;
    beforeAll(async () => {
      const shop = await kit.register(
        "Shop",
        "--redirect-uri",
        `${url}/callback`,
        "--post-logout-uri",
        `${url}/bye`,
        "--backchannel-logout-uri",
        `${url}/callback?logout=backchannel`,
      );
      apache = await startApache({ folder, port, issuer, clientId: shop.client_id, clientSecret: shop.client_secret });
    }, 60_000);
    afterAll(() => apache.stop());

    const guarded = `${url}/guarded`;
    /** Opens the page, with the browser signed in at Gatehouse as this person. */
    async function visit({ client }: Person): Promise<Client> {
      const here = createClient(url);
      const { at, answer } = await travel([here, client], guarded);
      expect({ at: at.href, status: answer?.status }).toEqual({ at: guarded, status: 200 });
      return here;
    }
    const isIn = async (here: Client): Promise<boolean> => (await here.get("/guarded")).status === 200;

    test("leads who comes to Gatehouse, and knows the person who comes back", async () => {
      const ada = await people.register("ada");
      const here = await visit(ada);
      const page = await here.get("/guarded");
      expect(page.text).toBe("the page guarded\n");
      expect(
        Object.fromEntries(["x-remote-user", "x-email", "x-issuer"].map((name) => [name, page.headers.get(name)])),
      ).toEqual({
        "x-remote-user": ada.id,
        "x-email": ada.email,
        "x-issuer": issuer,
      });
      const stranger = await travel([createClient(url), createClient(issuer)], guarded);
      expect(stranger.at.href).toStartWith(`${issuer}/login?`);
    });

    test("refreshes its tokens, and asks for the person's claims with the new ones", async () => {
      const ada = await people.register("ada");
      const here = await visit(ada);
      const info = () => here.get("/callback?info=json");
      const before = await info();
      expect(before.at("userinfo.email")).toBe(ada.email);
      const refreshed = await here.get(
        `/callback?refresh=${encodeURIComponent(guarded)}&access_token=${encodeURIComponent(before.textAt("access_token"))}`,
      );
      expect(refreshed.headers.get("location")).toBe(guarded);
      const after = await info();
      expect(after.textAt("access_token")).not.toBe(before.textAt("access_token"));
      expect(await isIn(here)).toBe(true);
    });

    test("is told by Gatehouse that the person has signed out there, and lets nobody in with that session", async () => {
      const [ada, grace] = [await people.register("ada"), await people.register("grace")];
      const [here, elsewhere] = [await visit(ada), await visit(grace)];
      expect(await isIn(here)).toBe(true);
      expect((await ada.client.post(auth("logout"))).status).toBeLessThan(300);
      await eventually("the end of the session at Apache", async () => !(await isIn(here)));
      expect(await isIn(elsewhere)).toBe(true);
    });

    test("signs its person out at Gatehouse, who comes back to its page", async () => {
      const ada = await people.register("ada");
      const here = await visit(ada);
      const { at, answer } = await travel(
        [here, ada.client],
        `${url}/callback?logout=${encodeURIComponent(`${url}/bye`)}`,
      );
      expect({ at: at.href, text: answer?.text }).toEqual({ at: `${url}/bye`, text: "the page bye\n" });
      expect(await isServed(ada.client)).toBe(false);
      expect(await isIn(here)).toBe(false);
    });
  },
);
