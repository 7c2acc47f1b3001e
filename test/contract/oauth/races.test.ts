import { expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const world = await stageWorld();
const { people } = world;
const audit = readAudit(world.rows);

const link = { link: true };
const fewestRounds = 25;
const mostRounds = 250;
const idOf = async (browser: Client) => (await browser.get(auth("me"))).textAt("user.id");

/**
 * Races two requests again and again, the second a little later each time. After the second, nothing may use what it has undone. The order
 * is that of the audit rows, which are written in the commits of the changes. The race goes on until both orders have come about: otherwise
 * it has shown nothing.
 */
async function race(
  used: string,
  undone: string,
  round: (delayMs: number) => Promise<{ readonly userId: string }>,
): Promise<void> {
  const seen = { before: 0, refused: 0 };
  for (let count = 0; count < mostRounds; count += 1) {
    if (count >= fewestRounds && seen.before > 0 && seen.refused > 0) break;
    const { userId } = await round((count % 9) * (1 + Math.floor(count / fewestRounds)));
    const actions = audit.all("subject_user_id = ?1", userId).map(({ action }) => action);
    const at = actions.lastIndexOf(undone);
    expect(at).toBeGreaterThan(0);
    expect(actions.slice(at + 1)).not.toContain(used);
    if (actions.slice(0, at).includes(used)) seen.before += 1;
    else seen.refused += 1;
  }
  expect({ before: seen.before > 0, refused: seen.refused > 0 }).toEqual({ before: true, refused: true });
}

test("F-10 an identity that is unlinked while it signs in signs nobody in afterwards", async () => {
  await race("auth.logged-in", "auth.identity-unlinked", async (delayMs) => {
    const ada = world.newcomer("ada");
    const browser = world.browser();
    await signInWith(browser, world.google, ada.account);
    const userId = await idOf(browser);
    await signInWith(browser, world.github, ada.account, link);
    const { id } = world.rows.get("select id from auth_identities where user_id = ? and provider = 'github'", userId);
    const visitor = world.browser();
    const callback = await approve(world.github, await begin(visitor, world.github), ada.account);
    // The exchange comes first and takes a few milliseconds.
    const unlinked = Bun.sleep(delayMs).then(() => browser.post(auth(`identities/${String(id)}/unlink`)));
    await Promise.all([deliver(visitor, callback), unlinked]);
    return { userId };
  });
});

test("F-09 a linking whose session is ended while the provider is asked links nothing afterwards", async () => {
  await race("auth.identity-linked", "auth.logged-out", async (delayMs) => {
    const { id, client } = await people.register("grace");
    const { account } = world.newcomer("hopper");
    const callback = await approve(world.github, await begin(client, world.github, link), account);
    const ended = Bun.sleep(delayMs).then(() => client.copy().post(auth("logout")));
    const [answer] = await Promise.all([deliver(client, callback), ended]);
    expect([303, 401]).toContain(answer.status);
    expect(world.rows.count("auth_identities where user_id = ?", id)).toBe(answer.status === 303 ? 1 : 0);
    return { userId: id };
  });
});
