import { expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { challenged, setUpTotp } from "../../support/factors.ts";
import { stage } from "../../support/stage.ts";

const { target, people, rows, browser } = await stage({ env: { AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000" } });

test("M-90 a hundred wrong recovery codes don't keep the right password from signing in", async () => {
  const ada = await people.register("ada");
  rows.prove(ada);
  const { recoveryCodes } = await setUpTotp(ada);
  for (let sign = 0; sign < 11; sign += 1) {
    const waiting = await challenged(target.url, ada);
    for (let wrong = 0; wrong < 10; wrong += 1) await waiting.verify("recovery_code", "ABCD-EFGH-IJKL-MNOP");
  }
  const answer = await browser().post(auth("login"), { login: ada.email, password: ada.password });
  expect([answer.status, answer.at("code")]).toEqual([401, "mfa_required"]);
  const waiting = await challenged(target.url, ada);
  expect((await waiting.verify("recovery_code", recoveryCodes[0] ?? "")).status).toBe(200);
});
