import { expect, test } from "bun:test";
import { signInWith, startOf } from "../../support/oauth/journey.ts";
import { hostileNexts, leaves } from "../../support/oauth/hostile.next.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";

const world = await stageWorld();

const atOnce = 50;

test("F-11 of 2,500 hostile values of next, what is kept for the way back never leaves the origin", async () => {
  const corpus = hostileNexts();
  // The values are spread evenly, with all of the hand-picked ones among them.
  const step = Math.ceil((corpus.length - 120) / 2_400);
  const values = corpus.filter((_, index) => index < 120 || (index - 120) % step === 0);
  const more = corpus.filter((value) => !values.includes(value)).slice(0, Math.max(0, 2_500 - values.length));
  const chosen = [...values, ...more];
  expect(chosen.length).toBeGreaterThanOrEqual(2_500);
  for (let index = 0; index < chosen.length; index += atOnce) {
    const answers = await Promise.all(
      chosen.slice(index, index + atOnce).map((next) => world.browser().get(startOf("github", { next }))),
    );
    for (const answer of answers) expect(answer.status).toBe(302);
  }
  const kept = world.rows.count("oauth_states");
  expect(kept).toBe(chosen.length);
  for (let offset = 0; offset < kept; offset += 1) {
    const next = String(world.rows.get("select next from oauth_states limit 1 offset ?", offset)["next"]);
    expect({ next, leaves: leaves(next, publicUrl) }).toEqual({ next, leaves: false });
  }
}, 120_000);

test("F-11 whole sign-ins end where they should, whatever next was", async () => {
  const ada = world.newcomer("ada");
  const hostile = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "/%2f%2fevil.example",
    "/x\r\nLocation: https://evil.example",
    "/.//evil.example",
  ];
  for (const next of hostile) {
    const answer = await signInWith(world.browser(), world.github, ada.account, { next });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
  }
  for (const next of ["/account", "/a/b?c=d#e"]) {
    const answer = await signInWith(world.browser(), world.github, ada.account, { next });
    expect(answer.headers.get("location")).toBe(next);
  }
});

test("F-11 the callback takes no next of its own", async () => {
  const browser = world.browser();
  const answer = await browser.get("/api/v1/auth/oauth/github/callback?state=x&next=//evil.example", {
    headers: { accept: "text/html" },
  });
  expect(answer.headers.get("location")).toBe("/login?oauth_error=invalid_oauth_state");
});
