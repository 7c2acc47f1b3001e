import { describe, expect, test } from "bun:test";
import { YAML } from "bun";
import { paths } from "../../src/account/shared/settings.ts";
import { auth } from "../support/auth.ts";
import { type Client } from "../support/client.ts";
import { stage } from "../support/stage.ts";
import { example, navigation, settingsOf, signIn, told } from "./examples.fixture.ts";

// Traefik itself is not at hand: the tests read its file, and play its part by what its documentation says that it sends.
const { target, people, browser } = await stage({
  env: { ...settingsOf("One host with nginx"), AUTH_TOKEN_CLAIMS: "roles", ORGANIZATIONS_ENABLED: "true" },
});

interface ForwardAuth {
  readonly address: string;
  readonly trustForwardHeader: boolean;
  readonly authResponseHeaders: readonly string[];
  readonly addAuthCookiesToResponse: readonly string[];
}
const isForwardAuth = (value: unknown): value is ForwardAuth =>
  typeof value === "object" && value !== null && "address" in value && "authResponseHeaders" in value;

const file: unknown = YAML.parse(example("Traefik", "yaml"));
const at = (path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), file);
const forwardAuth = at("http.middlewares.signed-in.forwardAuth");
if (!isForwardAuth(forwardAuth)) throw new Error("the example has no middleware");

describe("Traefik", () => {
  test("E-04 the file believes no client, and copies every header that says who it is", () => {
    expect(forwardAuth.trustForwardHeader).toBe(false);
    expect(forwardAuth.authResponseHeaders.toSorted()).toEqual(told.toSorted());
    expect(forwardAuth.addAuthCookiesToResponse).toEqual(["auth_access"]);
    expect(at("http.routers.app.middlewares")).toEqual(["signed-in"]);
  });

  test("E-04 the rule for Gatehouse has its pages and routes, and nothing that is not for strangers", () => {
    const rule = String(at("http.routers.gatehouse.rule"));
    const [, pattern = ""] = /PathRegexp\(`([^`]+)`\)/.exec(rule) ?? [];
    const matches = (path: string): boolean => new RegExp(pattern).test(path) || path.startsWith("/api/v1/auth/");
    expect(
      [
        ...paths,
        "/account/assets/main.js",
        "/account/assets/pt-BR.0a1b2c3d4e5f/main.js",
        "/.well-known/jwks.json",
      ].filter((path) => !matches(path)),
    ).toEqual([]);
    expect(
      ["/", "/metrics", "/-/ready", "/lighthouse", "/login/x", "/accounts", "/.well-known/x"].filter(matches),
    ).toEqual([]);
  });

  test("E-04 what Traefik sends by its documentation is answered as it expects", async () => {
    const address = forwardAuth.address.replace("http://127.0.0.1:3000", target.url);
    const send = (client: Client, method: string, headers: Record<string, string> = {}) =>
      client.get(address, {
        headers: {
          "x-forwarded-method": method,
          "x-forwarded-proto": "https",
          "x-forwarded-host": "app.example.com",
          "x-forwarded-uri": "/reports",
          "x-forwarded-for": "203.0.113.7",
          ...headers,
        },
      });
    expect((await send(browser(), "GET")).status).toBe(401);
    expect((await send(browser(), "POST", navigation)).status).toBe(401);
    const led = await send(browser(), "GET", navigation);
    expect([led.status, led.headers.get("location")]).toEqual([302, signIn("/reports")]);
    const elsewhere = await send(browser(), "GET", { ...navigation, "x-forwarded-host": "evil.example" });
    expect(elsewhere.status).toBe(401);

    const ada = await people.register("ada");
    const answer = await send(ada.client, "POST", { "x-auth-roles": "admin" });
    expect(answer.status).toBe(204);
    expect(forwardAuth.authResponseHeaders.filter((name) => !answer.headers.has(name))).toEqual([]);
    expect(answer.headers.get("x-auth-roles")).toBe("");
    const unlucky = ada.client.copy();
    unlucky.deleteCookie("auth_access");
    expect((await send(unlucky, "GET")).setCookies.map(({ name }) => name)).toEqual(["auth_access"]);
    await ada.client.post(auth("logout"));
    expect((await send(unlucky, "GET")).status).toBe(401);
  });
});
