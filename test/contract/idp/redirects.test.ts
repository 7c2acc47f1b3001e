import { describe, expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { titleOf } from "../../support/staff.ts";
import { idpEnvironment, idpKit } from "./idp.fixture.ts";

const { target, people } = await stage({ env: { ...idpEnvironment, IDP_REGISTRATION: "open" } });
const kit = idpKit(target);
const loopback = "http://127.0.0.1/callback";
const phone = await kit.register("Phone", "--type", "native", "--redirect-uri", loopback);
const { client: person } = await people.register("ada");
const asked = (uri: string) => kit.authorize(person, phone, { redirect_uri: uri });

describe("the addresses that people are led to", () => {
  test.each(["http://127.0.0.1:49152/callback", loopback])(
    "O-106 %s is the loopback address with whatever port",
    async (uri) => {
      expect(kit.told(await asked(uri), uri).has("code")).toBe(true);
    },
  );

  test.each([
    "http://127.1:49152/callback",
    "http://2130706433:49152/callback",
    "http://0x7f.0.0.1:49152/callback",
    "http://127.0.0.1.:49152/callback",
    "http://127。0。0。1:49152/callback",
    "http://localhost:49152/callback",
    "http:127.0.0.1:49152/callback",
    "http:///127.0.0.1:49152/callback",
    "http://127.0.0.1:/callback",
    "http://127.0.0.1:49152/there/../callback",
    "http://127.0.0.1:49152/%63allback",
    "http://127.0.0.1:49152@evil.example.test/callback",
    "http://127.0.0.1:49152\\@evil.example.test/callback",
    "https://127.0.0.1:49152/callback",
  ])("O-106 %s is another address, however a browser would read it", async (uri) => {
    const page = await asked(uri);
    expect([page.status, page.headers.get("location"), titleOf(page)]).toEqual([
      400,
      null,
      "This app can't sign you in",
    ]);
  });

  test.each([
    ["what a header can't hold", "https://shop.example.test/☃"],
    ["a host in another script", "https://shöp.example.test/"],
    ["a mark that turns the text around", "https://shop.example.test/\u202e"],
    ["no slashes before its host", "https:shop.example.test/callback"],
    ["three of them", "https:///shop.example.test/callback"],
  ])("O-106 none is registered with %s", async (_what, uri) => {
    const { code, stderr } = await kit.run("client:create", "Odd", "--type", "web", "--redirect-uri", uri);
    expect([code === 0, stderr.includes("the redirect URI")]).toEqual([false, true]);
  });

  /** Schemes by which a link calls, mounts, installs or runs something: programs of the system have them. */
  const ofSystem =
    "ms-msdt: ms-settings: ms-appinstaller: MS-WORD: search-ms: search: smb: tel: sms: ssh: telnet: ldap: sftp: callto: shell: hcp: help:";
  const ofApps = ["cursor://anysphere.cursor-mcp/callback", "vscode://vendor.app/done", "com.example.app:/callback"];
  const registered = async (uri: string): Promise<string> => {
    const asked = { redirect_uris: [uri], token_endpoint_auth_method: "none" };
    const answer = await createClient(target.url).post("/oauth2/register", asked);
    return `${answer.status} ${String(answer.at("error"))}`;
  };

  test("O-113 are none that a program of the system opens, whoever registers them", async () => {
    const uris = ofSystem.split(" ").map((scheme) => `${scheme}//shop.example.test/x`);
    for (const uri of uris) expect(`${uri} ${await registered(uri)}`).toBe(`${uri} 400 invalid_redirect_uri`);
    const flags = uris.flatMap((uri) => ["--redirect-uri", uri]);
    const { code, stderr } = await kit.run("client:create", "Odd", "--type", "native", ...flags);
    expect(code).not.toBe(0);
    expect(stderr.split("has a scheme that nobody may be led to")).toHaveLength(uris.length + 1);
  });

  test("O-113 may be those of apps", async () => {
    for (const uri of ofApps) expect(await registered(uri)).toBe("201 undefined");
  });
});
