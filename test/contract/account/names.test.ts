import { describe, expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

endTargetsAfterEach();

/** Opens the sign-in page by a name of this machine, on the way to an app. */
async function signInPage(target: Target, name: string, next: string) {
  const headers = { host: `${name}:${target.port}` };
  const { status, headers: got } = await createClient(target.url).get(`/login?next=${encodeURIComponent(next)}`, {
    headers,
  });
  return { status, location: got.get("location") };
}

describe("the names that a developer's machine has for itself", () => {
  test("are one for the sign-in page and the app that it leads back to, as browsers keep cookies by name", async () => {
    const target = await startTarget({ env: { APP_ENV: "local" }, roles: ["http"] });
    const next = "http://localhost:8000/orders?of=ada";
    expect(await signInPage(target, "127.0.0.1", next)).toEqual({
      status: 303,
      location: `http://localhost:${target.port}/login?next=${encodeURIComponent(next)}`,
    });
    expect(await signInPage(target, "localhost", "http://127.0.0.1:8000/")).toMatchObject({
      status: 303,
      location: expect.stringContaining(`http://127.0.0.1:${target.port}/login?`),
    });
    for (const [name, here] of [
      ["localhost", next],
      ["127.0.0.1", "http://127.0.0.1:8000/"],
      ["127.0.0.1", "/account"],
      ["127.0.0.1", "https://localhost:8000/"],
      ["127.0.0.1", "http://localhost.example.com/"],
      ["127.0.0.1", "http://localhost@example.com/"],
      ["auth.example.com", next],
    ] as const)
      expect(await signInPage(target, name, here)).toEqual({ status: 200, location: null });
    await target.stop();
  });

  test("stay what they are in any other environment", async () => {
    const target = await startTarget({ roles: ["http"] });
    expect(await signInPage(target, "127.0.0.1", "http://localhost:8000/")).toEqual({ status: 200, location: null });
    await target.stop();
  });
});
