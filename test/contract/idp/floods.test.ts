import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { form, idpEnvironment, idpKit, issuer, type Registered } from "./idp.fixture.ts";

/** Hosts at which strangers publish what they like. What is asked for waits until it is let go. */
const hosts = Array.from({ length: 10 }, () =>
  Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: ({ url }) => answer(url) }),
);
afterAll(() => Promise.all(hosts.map((host) => host.stop(true))));
const origins = hosts.map(({ url }) => url.origin);
const [home = ""] = origins;
let under = 0;
let most = 0;
let gate = Promise.withResolvers<void>();
let isHeld: (url: string) => boolean = () => true;
let content: (url: string) => unknown;
async function answer(url: string): Promise<Response> {
  if (!isHeld(url)) return Response.json(content(url));
  under += 1;
  most = Math.max(most, under);
  await gate.promise;
  under -= 1;
  return Response.json(content(url));
}
beforeEach(() => {
  most = 0;
  gate = Promise.withResolvers();
});

const { target } = await stage({
  env: {
    ...idpEnvironment,
    IDP_REGISTRATION: "open",
    IDP_CLIENT_METADATA_DOCUMENTS: new URL(home).host,
    API_TRUSTED_PROXIES: "127.0.0.0/8",
  },
});
const kit = idpKit(target);
const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: "ES256", kid: "k" }] };

describe("keys of programs that are read at the same moment", () => {
  async function stranger(uri: string): Promise<Registered> {
    const made = await createClient(target.url).post("/oauth2/register", {
      redirect_uris: ["https://agent.example.test/callback"],
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: uri,
    });
    if (made.status !== 201) throw new Error(made.text);
    return { client_id: made.textAt("client_id"), client_secret: "" };
  }
  async function prove({ client_id: id }: Registered, fields: Readonly<Record<string, string>>) {
    const claims = { iss: id, sub: id, aud: issuer, jti: crypto.randomUUID() };
    const sign = new SignJWT(claims).setExpirationTime("1m").setProtectedHeader({ alg: "ES256", kid: "k" });
    return kit.call("/oauth2/token", {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await sign.sign(privateKey),
      ...fields,
    });
  }
  const swap = { grant_type: "authorization_code", code: "x" };

  test("O-116 are two of one host at most, and the others wait; those of an operator's program wait for none", async () => {
    content = () => jwks;
    isHeld = (url) => url.includes("/flood/");
    const programs = await Promise.all(Array.from({ length: 8 }, (_one, at) => stranger(`${home}/flood/${at}`)));
    const flood = programs.map((program) => prove(program, swap));
    await eventually("two are read", () => under === 2);
    const flags = ["--type", "machine", "--auth", "private_key_jwt", "--jwks-uri"];
    const robot = await kit.register("Robot", ...flags, `${home}/robot`);
    expect((await prove(robot, { grant_type: "client_credentials" })).status).toBe(200);
    expect(most).toBe(2);
    gate.resolve();
    for (const { at } of await Promise.all(flood)) expect(at("error")).toBe("invalid_grant");
    expect(most).toBe(2);
  });

  test("O-116 are sixteen at most, of whatever hosts, and lack of a place is not held against an address", async () => {
    content = () => jwks;
    isHeld = (url) => url.includes("/all/");
    const uris = origins.flatMap((origin) => [0, 1, 2].map((at) => `${origin}/all/${at}`));
    const programs = await Promise.all(uris.map(stranger));
    const flood = programs.map((program) => prove(program, swap));
    await eventually("sixteen are read", () => under === 16);
    await Bun.sleep(100);
    expect(most).toBe(16);
    const late = await Promise.all(Array.from({ length: 12 }, (_one, at) => stranger(`${home}/all/late-${at}`)));
    const refused = late.map((program) => prove(program, swap));
    await Bun.sleep(300);
    gate.resolve();
    const said = (await Promise.all([...flood, ...refused])).map(({ at }) => at("error"));
    expect(said).toContain("invalid_client");
    for (const program of [...programs, ...late])
      expect((await prove(program, swap)).at("error")).toBe("invalid_grant");
  });

  test("O-116 that a stranger could not have read are no fault of an operator's program with the same address", async () => {
    let isDown = true;
    isHeld = () => false;
    content = () => (isDown ? {} : jwks);
    const uri = `${home}/shared`;
    expect((await prove(await stranger(uri), swap)).at("error")).toBe("invalid_client");
    isDown = false;
    const robot = await kit.register("Neighbour", "--type", "machine", "--auth", "private_key_jwt", "--jwks-uri", uri);
    expect((await prove(robot, { grant_type: "client_credentials" })).status).toBe(200);
  });
});

describe("documents that nobody knows", () => {
  const about = (id: string, address: string) =>
    createClient(target.url).get(`/oauth2/client?${form({ client_id: id })}`, {
      headers: { "x-forwarded-for": address },
    });

  test("O-117 one address that asks for many of a host keeps no other from having one read there", async () => {
    content = (url) => ({ client_id: url, client_name: "Agent", redirect_uris: ["http://127.0.0.1/callback"] });
    isHeld = (url) => url.includes("/junk/");
    let refused = 0;
    const flood = Array.from({ length: 30 }, async (_one, at) => {
      const { status } = await about(`${home}/junk/${at}.json`, "198.51.100.7");
      if (status === 404) refused += 1;
    });
    await eventually("the others find no place", () => refused === 20);
    const newcomer = about(`${home}/agent.json`, "203.0.113.9");
    await eventually("one of the flood makes room", () => refused === 21);
    gate.resolve();
    expect((await newcomer).status).toBe(200);
    await Promise.all(flood);
    expect(refused).toBe(21);
  });

  test("O-117 one that many addresses ask for at the same moment is read once for all of them", async () => {
    let asked = 0;
    content = (url) => {
      asked += 1;
      return { client_id: url, client_name: "Agent", redirect_uris: ["http://127.0.0.1/callback"] };
    };
    isHeld = () => true;
    const all = Array.from({ length: 40 }, (_one, at) => about(`${home}/popular.json`, `203.0.${at}.1`));
    await eventually("it is read", () => under === 1);
    await Bun.sleep(200);
    gate.resolve();
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
    expect(asked).toBe(1);
  });
});
