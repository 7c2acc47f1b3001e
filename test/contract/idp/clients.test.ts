import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { idpEnvironment, idpKit, redirectUri } from "./idp.fixture.ts";

const { target, rows, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const audit = readAudit(rows);
const about = (name: string) =>
  audit.all("service = ?1 and action like 'client.%' and outcome = 'success'", name).map(({ action }) => action);

describe("client:create", () => {
  test("prints the id and, once, the secret, of which only a hash is stored", async () => {
    const { code, stdout, stderr } = await kit.run(
      "client:create",
      "Grafana",
      "--type",
      "web",
      "--redirect-uri",
      redirectUri,
    );
    const [, id = "", secret = ""] = /^client_id=([\w-]+)\nclient_secret=(ghc_[\w-]{43})\n$/.exec(stdout) ?? [];
    expect({ code, id: id.length, told: stderr }).toMatchObject({
      code: 0,
      id: 36,
      told: expect.stringContaining("not shown again"),
    });
    const stored = rows.get("select * from idp_clients where name = 'Grafana'");
    expect(stored["secret_hash"]).toBe(createHash("sha256").update(secret).digest("hex"));
    expect(JSON.stringify([rows.all("select * from idp_clients"), audit.all()])).not.toContain(secret);
    expect(about("Grafana")).toEqual(["client.created"]);
    expect((await kit.run("client:show", "Grafana")).stdout).not.toContain(secret);
    const shown: unknown = JSON.parse((await kit.run("client:show", id, "--json")).stdout);
    expect(shown).toMatchObject({
      client_id: id,
      name: "Grafana",
      type: "web",
      redirect_uris: [redirectUri],
      scope: "openid profile email offline_access",
      token_endpoint_auth_method: "client_secret_basic",
      third_party: false,
    });
  });

  const refusals: readonly (readonly [string, readonly string[], string])[] = [
    [
      "a name that is taken",
      ["Grafana", "--type", "web", "--redirect-uri", redirectUri],
      "there is a program Grafana already",
    ],
    [
      "a name with an invisible character",
      ["Gra\u202Efana", "--type", "web", "--redirect-uri", redirectUri],
      "invisible",
    ],
    ["no address", ["A", "--type", "web"], "needs a redirect URI"],
    [
      "a script for an address",
      ["A", "--type", "web", "--redirect-uri", "javascript:alert(1)"],
      "nobody may be led to",
    ],
    ["an address with a fragment", ["A", "--type", "web", "--redirect-uri", `${redirectUri}#x`], "has a fragment"],
    ["an address with a star", ["A", "--type", "web", "--redirect-uri", "https://*.example.test/"], "has a star"],
    [
      "a scheme of its own for a page",
      ["A", "--type", "browser", "--redirect-uri", "com.example.app:/cb"],
      "is for native clients",
    ],
    [
      "a secret for a page",
      ["A", "--type", "browser", "--redirect-uri", redirectUri, "--auth", "client_secret_basic"],
      "can keep no secret",
    ],
    [
      "a server that proves nothing",
      ["A", "--type", "web", "--redirect-uri", redirectUri, "--auth", "none"],
      "proves who it is",
    ],
    [
      "keys without an address",
      ["A", "--type", "web", "--redirect-uri", redirectUri, "--auth", "private_key_jwt"],
      "needs a JWKS URI",
    ],
    [
      "a scope that there is not",
      ["A", "--type", "web", "--redirect-uri", redirectUri, "--scope", "openid,admin"],
      'there is no scope "admin"',
    ],
    [
      "an algorithm without a key",
      ["A", "--type", "web", "--redirect-uri", redirectUri, "--id-token-alg", "ES256"],
      "no key here signs with ES256",
    ],
    [
      "two addresses in one",
      ["A", "--type", "web", "--redirect-uri", `${redirectUri},https://b.example.test/`],
      "has two addresses in it",
    ],
    ["a role for a machine", ["A", "--type", "machine", "--role", "staff"], "there is nobody whose role it could ask"],
    ["to ask people for a machine", ["A", "--type", "machine", "--third-party"], "there is nobody to be asked"],
    [
      "the scope of sign-ins for a machine",
      ["A", "--type", "machine", "--scope", "openid,reports:read"],
      "it has scopes of your own words, and not openid",
    ],
    ["an address for a machine", ["A", "--type", "machine", "--redirect-uri", redirectUri], "signs nobody in"],
  ];
  test.each(refusals)("refuses %s in words", async (_what, args, words) => {
    const { code, stdout, stderr } = await kit.run("client:create", ...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(words);
  });

  test("says of an address that is not encrypted that it is none, and takes it", async () => {
    const create = (uri: string) => kit.run("client:create", uri, "--type", "native", "--redirect-uri", uri);
    expect(await create("http://shop.lan.test/cb")).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("http://shop.lan.test/cb is not encrypted"),
    });
    expect(await create("http://127.0.0.1/cb")).toMatchObject({ code: 0, stderr: "" });
  });

  test("refuses to ask people and to ask nobody", async () => {
    const both = ["A", "--type", "web", "--redirect-uri", redirectUri, "--third-party", "--first-party"];
    const { code, stderr } = await kit.run("client:create", ...both);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("exclude each other") });
  });

  test("of ten at the same moment with one name one is made", async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () =>
        kit.run("client:create", "Twin", "--type", "native", "--redirect-uri", "com.example.twin:/cb"),
      ),
    );
    expect(made.filter(({ code }) => code === 0)).toHaveLength(1);
  });
});

test("client:secret makes the secret before it worthless at once", async () => {
  const shop = await kit.register("Shop");
  const { client } = await people.register("ada");
  const tokens = await kit.signIn(client, shop);
  const { stdout } = await kit.run("client:secret", "Shop");
  expect((await kit.refresh(shop, tokens.textAt("refresh_token"))).at("error")).toBe("invalid_client");
  const renewed = { ...shop, client_secret: stdout.trim() };
  expect((await kit.refresh(renewed, tokens.textAt("refresh_token"))).status).toBe(200);
  expect(about("Shop")).toEqual(["client.created", "client.secret-changed"]);
});

test("client:update holds from the next request on: a role that is asked for keeps out who lacks it, refreshes too", async () => {
  const shop = await kit.register("Desk");
  const { client } = await people.register("ada");
  const tokens = await kit.signIn(client, shop);
  expect((await kit.run("client:update", "Desk", "--role", "editor")).code).toBe(0);
  expect((await kit.refresh(shop, tokens.textAt("refresh_token"))).at("error")).toBe("invalid_grant");
  expect((await kit.authorize(client, shop)).status).toBe(403);
  expect((await kit.run("client:update", "Desk", "--role", "none")).code).toBe(0);
  expect(kit.told(await kit.authorize(client, shop)).has("code")).toBe(true);
  expect((await kit.run("client:update", "Desk")).code).toBe(2);
});

test("client:update undoes what binds a program to its key, one thing at a time", async () => {
  const update = (...flags: string[]) => kit.run("client:update", "Bank", ...flags);
  const bound = async (): Promise<unknown> => {
    const { fapi, dpop_bound_access_tokens: dpop } = JSON.parse(
      (await kit.run("client:show", "Bank", "--json")).stdout,
    );
    return { fapi, dpop };
  };
  const keys = ["--auth", "private_key_jwt", "--jwks-uri", "https://bank.example.test/jwks", "--id-token-alg", "EdDSA"];
  await kit.register("Bank", ...keys, "--fapi");
  expect(await bound()).toEqual({ fapi: true, dpop: true });
  expect((await update("--no-dpop")).stderr).toContain("FAPI 2.0 needs tokens that are bound to a key");
  expect((await update("--no-fapi")).code).toBe(0);
  expect(await bound()).toEqual({ fapi: false, dpop: true });
  const both = await update("--dpop", "--no-dpop");
  expect({ code: both.code, stderr: both.stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--dpop and --no-dpop exclude each other"),
  });
  expect((await update("--no-dpop")).code).toBe(0);
  expect(await bound()).toEqual({ fapi: false, dpop: false });
});

test("client:update --name keeps the program and its secret, and the log has it under both names", async () => {
  const boutique = await kit.register("Boutique");
  await kit.register("Bazaar");
  const rename = (name: string) => kit.run("client:update", "Boutique", "--name", name);
  expect((await rename("Bazaar")).stderr).toContain("there is a program Bazaar already");
  expect((await rename("Bou\u202Etique")).stderr).toContain("none that is invisible");
  expect(about("Boutique")).toEqual(["client.created"]);
  expect((await rename("Market")).code).toBe(0);
  expect(JSON.parse((await kit.run("client:show", "Market", "--json")).stdout)).toMatchObject({
    client_id: boutique.client_id,
    name: "Market",
  });
  const { client } = await people.register("ada");
  expect((await kit.signIn(client, boutique)).status).toBe(200);
  expect(about("Boutique")).toEqual(["client.created", "client.updated"]);
  expect(audit.all("service = 'Market' and action like 'client.%'")).toMatchObject([{ reason: "renamed" }]);
  expect((await kit.run("client:update", "Boutique", "--scope", "openid")).stderr).toContain("no such program");
});

describe("client:apply", () => {
  const apply = async (content: unknown, ...flags: string[]) => {
    const path = join(target.folder, "clients.json");
    await Bun.write(path, JSON.stringify(content));
    return kit.run("client:apply", path, ...flags);
  };
  const app = (name: string, more: object = {}) => ({ name, type: "web", redirect_uris: [redirectUri], ...more });

  test("makes, changes and keeps, says what differs, and prints a secret once", async () => {
    const first = await apply({ clients: [app("One"), app("Two")] });
    expect(first.stdout.match(/client_secret=ghc_/g)).toHaveLength(2);
    const again = await apply({ clients: [app("Two"), app("One")] });
    expect(again.stdout).toBe("keep Two\nkeep One\n");
    const trial = await apply({ clients: [app("One", { role: "editor" })] }, "--dry-run", "--prune", "--json");
    const steps = trial.stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(steps).toContainEqual({ action: "update", name: "One", changed: ["role"] });
    expect(steps).toContainEqual({ action: "remove", name: "Two", changed: [] });
    expect(rows.get("select count(*) as n from idp_clients where name in ('One', 'Two')")).toEqual({ n: 2 });
    const changed = await apply({ clients: [app("One", { role: "editor" })] });
    expect(changed.stdout).toBe("update One: role\n");
    expect((await kit.run("client:show", "One")).stdout).toMatch(/^role +editor$/m);
  });

  test("takes what client:show prints, and passes over what no file can change", async () => {
    await kit.register("Shown", "--role", "editor");
    const shown: unknown = JSON.parse((await kit.run("client:show", "Shown", "--json")).stdout);
    expect((await apply({ clients: [shown] })).stdout).toBe("keep Shown\n");
    expect((await apply({ clients: [{ ...Object(shown), name: "Copied" }] })).stdout).toStartWith("create Copied\n");
    const own = await apply({ clients: [{ ...Object(shown), origin: "document" }] });
    expect({ code: own.code, stderr: own.stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("clients.0.origin is not what it should be"),
    });
  });

  test("changes nothing where the file has a fault, or a program that is refused", async () => {
    const before = rows.all("select * from idp_clients");
    for (const [wrong, words] of [
      [[], "the whole is not what it should be"],
      [{}, "clients is missing"],
      [{ clients: [{ name: "Three" }] }, "clients.0.type is missing"],
      [{ clients: [app("Three", { redirect_uri: redirectUri })] }, "there is no clients.0.redirect_uri"],
      [{ clients: [app("Three", { scope: ["openid"] })] }, "clients.0.scope is not what it should be"],
      [{ clients: [app("Three"), app("Three")] }, "in the file twice"],
    ] as const) {
      const { code, stderr } = await apply(wrong);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
    }
    expect((await apply({ clients: [app("Three"), app("Th\u202Eree")] })).code).toBe(1);
    const refused = await apply({ clients: [app("Three"), app("Four", { redirect_uris: ["foo"] })] });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
    expect(rows.all("select * from idp_clients")).toEqual(before);
  });
});
