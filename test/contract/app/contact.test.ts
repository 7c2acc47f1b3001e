import { expect, test } from "bun:test";
import { createContact } from "../../../src/contact/index.ts";
import { createClient } from "../../support/client.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

const path = "/.well-known/security.txt";
const year = 365 * 24 * 60 * 60 * 1000;

const fieldsOf = (text: string): readonly (readonly string[])[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/: (.*)/).slice(0, 2));

test.each(["app", "admin"] as const)(
  "X-20 %s says whom to tell about a hole, in the order of the setting, for a year at most",
  async (app) => {
    const target = await startTarget({
      app,
      env: {
        APP_URL: "https://id.example.test/",
        SECURITY_CONTACT: "holes@example.test, https://example.test/holes,tel:+49-30-901820",
      },
    });
    const answer = await createClient(target.url).get(path);
    await target.stop();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = fieldsOf(answer.text);
    const expires = fields.find(([name]) => name === "Expires")?.[1] ?? "";
    expect(fields).toEqual([
      ["Contact", "mailto:holes@example.test"],
      ["Contact", "https://example.test/holes"],
      ["Contact", "tel:+49-30-901820"],
      ["Expires", expires],
      ["Preferred-Languages", "en, de"],
      ["Canonical", `https://id.example.test${path}`],
    ]);
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(expires)).toBeGreaterThan(Date.now());
    expect(Date.parse(expires)).toBeLessThanOrEqual(Date.now() + year);
  },
);

test("X-20 where nobody is named there is no such file", async () => {
  const target = await startTarget();
  expect((await createClient(target.url).get(path)).status).toBe(404);
  await target.stop();
});

test("X-20 it goes stale a year after the program was built", async () => {
  const now = Date.UTC(2026, 10, 28);
  const said = async (builtAt: number | undefined) => {
    const { routes } = createContact({
      contacts: ["mailto:holes@example.test"],
      appUrl: new URL("https://id.example.test"),
      builtAt,
      clock: { now: () => now },
    });
    const answer = await routes?.handle(new Request(`http://localhost${path}`));
    return Date.parse(
      new Map(fieldsOf((await answer?.text()) ?? "").map(([a = "", b = ""]) => [a, b])).get("Expires") ?? "",
    );
  };
  expect(await said(undefined)).toBe(now + year);
  expect(await said(now - year / 2)).toBe(now + year / 2);
  expect(await said(now - 2 * year)).toBe(now - year);
  // A clock that runs behind makes nothing good for longer.
  expect(await said(now + year)).toBe(now + year);
});
