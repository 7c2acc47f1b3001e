import { expect, test } from "bun:test";
import { hour } from "../../../src/core/clock.ts";
import { stage } from "../../support/stage.ts";
import {
  createPageVisitor,
  createStaff,
  hiddenFields,
  textOf,
  titleOf,
  type StaffMember,
} from "../../support/staff.ts";
import { codeOf, wrongCodeOf } from "../../support/totp.ts";
import type { Answer } from "../../support/client.ts";

const { target, rows } = await stage({ app: "admin" });
const staff = createStaff(target.url, rows);

const location = (answer: Answer): string => answer.headers.get("location") ?? "";
const codesIn = ({ text }: Answer): string[] =>
  [...text.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = ""]) => code);

/** Sets up an authenticator app on the pages, without JavaScript. Uses up the code of the current step. */
async function setUp({ visitor }: Pick<StaffMember, "visitor">): Promise<{ secret: string; codes: readonly string[] }> {
  const page = await visitor.submit("/two-step", {}, "/two-step/app");
  expect(titleOf(page)).toBe("Set up an authenticator app");
  const fields = hiddenFields(page.text, "/two-step/app/confirm");
  const secret = fields["secret"] ?? "";
  const mistyped = await visitor.send("/two-step/app/confirm", { ...fields, code: wrongCodeOf(secret) });
  expect([mistyped.status, titleOf(mistyped)]).toEqual([401, "Set up an authenticator app"]);
  expect(textOf(mistyped)).toContain("This code is not right");
  // The person may have typed the code of another entry, without having scanned this one.
  const codeIn = ({ text }: Answer): string | undefined => /<svg[^]+?<\/svg>/.exec(text)?.[0];
  expect([codeIn(mistyped), codeIn(mistyped)?.length]).toEqual([codeIn(page), expect.any(Number)]);
  const forged = await visitor.send("/two-step/app/confirm", { ...fields, secret: "<b>", code: "000000" });
  expect([forged.status, codeIn(forged)]).toEqual([401, undefined]);
  const again = hiddenFields(mistyped.text, "/two-step/app/confirm");
  const done = await visitor.send("/two-step/app/confirm", { ...again, code: codeOf(secret) });
  expect([done.status, titleOf(done)]).toEqual([200, "Save your recovery codes"]);
  return { secret, codes: codesIn(done) };
}

/** Begins a sign-in in a new browser, and follows it to the second step. */
async function begin({ email, password }: StaffMember, next = "/people") {
  const visitor = createPageVisitor(target.url);
  const answer = await visitor.submit(`/login?next=${next}`, { login: email, password });
  expect(location(answer)).toStartWith("/login/verify?challenge=");
  return { visitor, path: location(answer) };
}

const ada = await staff.add("ada");
const { secret, codes } = await setUp(ada);

test("M-60 the second step is set up without a script, and shown with its recovery codes this once", async () => {
  expect(codes).toHaveLength(10);
  const page = textOf(await ada.visitor.get("/two-step"));
  expect(page).toContain("Authenticator app on");
  expect(page).toContain("10 left");
  for (const code of codes) expect(page).not.toContain(code);
  expect(page).not.toContain(secret);
});

test("M-61 a password alone opens nothing: every page leads to the sign-in until the second step is taken", async () => {
  const { visitor, path } = await begin(ada);
  expect((await visitor.get("/")).status).toBe(303);
  const asked = await visitor.get(path);
  expect([asked.status, titleOf(asked)]).toEqual([200, "One more step"]);
  const wrong = await visitor.submit(path, { code: wrongCodeOf(secret) }, "/login/verify");
  expect([wrong.status, titleOf(wrong)]).toEqual([401, "One more step"]);
  expect(textOf(wrong)).toContain("This code is not right");
  expect((await visitor.get("/")).status).toBe(303);
  const right = await visitor.submit(path, { code: codeOf(secret, 1) }, "/login/verify");
  expect([right.status, location(right)]).toEqual([303, "/people"]);
  expect((await visitor.get("/people")).status).toBe(200);
});

test("M-61 a recovery code does it once, whoever chooses that way", async () => {
  const [code = ""] = codes;
  const first = await begin(ada);
  const way = `${first.path}&way=recovery_code`;
  expect(textOf(await first.visitor.get(way))).toContain("Recovery code");
  expect((await first.visitor.submit(way, { code }, "/login/verify")).status).toBe(303);
  const second = await begin(ada);
  const used = await second.visitor.submit(`${second.path}&way=recovery_code`, { code }, "/login/verify");
  expect([used.status, textOf(used).includes("it has been used")]).toEqual([401, true]);
});

test("M-62 the second step belongs to the browser that began it, and to no form of another page", async () => {
  const { visitor, path } = await begin(ada);
  const stranger = createPageVisitor(target.url);
  const over = await stranger.get(path);
  expect([over.status, titleOf(over)]).toEqual([200, "Sign in again"]);
  const fields = hiddenFields((await visitor.get(path)).text, "/login/verify");
  const answer = { ...fields, method: "recovery_code", code: codes[1] ?? "" };
  const { csrf = "" } = hiddenFields((await stranger.get("/login")).text, "/login");
  const stolen = await stranger.send("/login/verify", { ...answer, csrf });
  expect([stolen.status, titleOf(stolen)]).toEqual([401, "Sign in again"]);
  expect((await visitor.send("/login/verify", { ...answer, csrf })).status).toBe(403);
  expect((await visitor.get("/")).status).toBe(303);
});

test("M-63 changes of the second step ask for a fresh proof, and any factor gives it", async () => {
  const grace = await staff.add("grace");
  const own = await setUp(grace);
  rows.run("update auth_sessions set proved_at = ? where user_id = ?", Date.now() - hour, grace.id);
  const asked = await grace.visitor.submit("/two-step/app/remove", {});
  expect([asked.status, titleOf(asked)]).toEqual([403, "Confirm that it is you"]);
  const fields = hiddenFields(asked.text, "/two-step/app/remove");
  const other = await grace.visitor.send("/two-step/app/remove", { ...fields, proof_by: "recovery_code" });
  expect(textOf(other)).toContain("Recovery code");
  const proof = { ...fields, method: "recovery_code" };
  const wrong = await grace.visitor.send("/two-step/app/remove", { ...proof, code: "no such code" });
  expect([wrong.status, titleOf(wrong)]).toEqual([401, "Confirm that it is you"]);
  const done = await grace.visitor.send("/two-step/app/remove", { ...proof, code: own.codes[0] ?? "" });
  expect([done.status, location(done)]).toEqual([303, "/two-step"]);
  expect(textOf(await grace.visitor.get("/two-step"))).toContain("Off: your password");
});

test("M-64 staff reset the second step of somebody else after a proof, and never their own", async () => {
  const lost = await staff.add("lost");
  await setUp(lost);
  const page = await ada.visitor.get(`/people/${lost.id}`);
  expect(textOf(page)).toContain("10 recovery codes are left");
  const done = await ada.visitor.submit(`/people/${lost.id}`, {}, `/people/${lost.id}/reset-factors`);
  expect(done.status).toBe(303);
  expect(textOf(await ada.visitor.get(`/people/${lost.id}`))).toContain("None is set up");
  expect((await lost.visitor.get("/")).status).toBe(303);
  const { csrf = "" } = hiddenFields((await ada.visitor.get("/")).text, "/logout");
  const own = await ada.visitor.send(`/people/${ada.id}/reset-factors`, { csrf });
  expect(own.status).toBeGreaterThanOrEqual(400);
  expect(textOf(await ada.visitor.get("/two-step"))).toContain("Authenticator app on");
});

test("where all passkeys are of another address, the second step and the proof say so, and what to do", async () => {
  const grace = await staff.add("grace");
  rows.run("update users set factors = 2 where id = ?", grace.id);
  const { visitor, path } = await begin(grace);
  const asked = await visitor.get(path);
  expect(titleOf(asked)).toBe("Your passkey does not work here");
  expect(textOf(asked)).toContain("Go to that address to sign in with it.");
  expect(textOf(asked)).toContain("reset your two-step sign-in");
  // The session is older than the passkey.
  rows.letPass(hour);
  const page = await grace.visitor.submit("/two-step", {}, "/two-step/app");
  expect([page.status, titleOf(page)]).toEqual([403, "Confirm that it is you"]);
  expect(textOf(page)).toContain("Your passkey does not work here");
  expect(page.text).not.toContain("current_password");
});
