import { expect, test } from "bun:test";
import { minute } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows } = await stage();
const backend = await serviceKit(target).backend("keeper", "users:read,users:write");

/** Makes and deletes accounts with one address, whose person is asked for a first password each time. Resolves to the last answer. */
async function invitedAgain(email: string, times: number): Promise<Answer> {
  for (let time = 1; ; time += 1) {
    const made = await backend.post("", { email, email_verified: true, send: "invitation" });
    if (time === times) return made;
    expect(made.status).toBe(200);
    expect((await backend.post(`/${made.textAt("user.id")}/delete`)).status).toBe(200);
  }
}

test("H-85 no mailbox is flooded: deleting the account and making it again forgets no mail, and sending it later counts, too", async () => {
  const email = "ada@example.test";
  const fourth = await invitedAgain(email, 4);
  expect([fourth.status, fourth.at("code")]).toEqual([429, "rate_limited"]);
  expect(Number(fourth.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(rows.count("users where email = ?", email)).toBe(0);
  const made = await backend.post("", { email, send: "none" });
  const later = await backend.post(`/${made.textAt("user.id")}/send-password-reset`);
  expect([later.status, later.at("code")]).toEqual([429, "rate_limited"]);
  rows.letPass(61 * minute);
  expect((await backend.post(`/${made.textAt("user.id")}/send-password-reset`)).status).toBe(200);
});
