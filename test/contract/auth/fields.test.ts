import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, createPeople, expectRefusal, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";

const known = "A long walk by the 7 seas";

let target: Target;
let ada: Person;
beforeAll(async () => {
  target = await startTarget({ env: { AUTH_PASSWORD_REQUIRE_UPPER: "true", AUTH_PASSWORD_REQUIRE_NUMBER: "true" } });
  ada = await createPeople(target.url).register("ada", { password: known });
});
afterAll(() => target.stop());

const register = (body: unknown): Promise<Answer> => createClient(target.url).post(auth("register"), body);

/** Field → code, from a refusal in the error envelope. */
function codesOf(answer: Answer): Record<string, unknown> {
  const fields = Object.entries(Object(answer.at("fields")));
  for (const [field] of fields) expect(answer.textAt(`fields.${field}.message`)).toMatch(/^This .*\.$/);
  return Object.fromEntries(fields.map(([field]) => [field, answer.at(`fields.${field}.code`)]));
}

describe("a refused body names every field that is at fault", () => {
  test.each([
    [
      "one that its schema refuses, one that is missing and one that is too long",
      { email: "ada at home", username: "a".repeat(321) },
      { email: "invalid_email", password: "required", username: "too_long" },
    ],
    [
      "an address and a password that only the rules refuse",
      { email: "ada@", username: "<b>", password: "short" },
      { email: "invalid_email", username: "invalid_username", password: "too_short" },
    ],
    [
      "a wrong type beside a weak password",
      { email: 5, password: "short" },
      { email: "invalid_type", password: "too_short" },
    ],
    [
      "control characters, a look-alike and a wrong flag",
      { email: "ａda@example.test", password: known, display_name: "a\u0000", remember: "yes" },
      { email: "look_alike_email", display_name: "invalid_characters", remember: "invalid_type" },
    ],
    ["nothing at all", undefined, { email: "required", password: "required" }],
  ])("of a registration: %s", async (_, body, codes) => {
    const answer = await register(body);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(codesOf(answer)).toEqual(codes);
  });

  test("of a profile: what its schema refuses beside what the account may not have", async () => {
    const answer = await ada.client.post(auth("profile"), {
      email: "nobody",
      username: "<b>",
      timezone: "Mars/Olympus_Mons",
      avatar_url: "javascript:alert(1)",
      locale: 7,
    });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(codesOf(answer)).toEqual({
      email: "invalid_email",
      username: "invalid_username",
      timezone: "invalid_timezone",
      avatar_url: "invalid_url",
      locale: "invalid_type",
    });
    const rest = await ada.client.post(auth("profile"), { email: "nobody", username: "someone@else.test" });
    expect(codesOf(rest)).toEqual({ email: "invalid_email" });
  });

  test.each([
    ["short", "too_short"],
    ["a".repeat(257), "too_long"],
    ["a long walk by the 7 seas", "missing_upper"],
    ["A long walk by the sea", "missing_number"],
    ["PASSWORD1", "too_common"],
    ["Monkey12345", "breached_password"],
    ["Weak7@example.test", "contains_identity"],
  ])("a weak password: %s is %s", async (password, code) => {
    const answer = await register({ email: "weak7@example.test", password });
    expectRefusal(answer, 400, "password is too weak", "weak_password");
    expect(codesOf(answer)).toEqual({ password: code });
  });

  test("a weak new password is named as the field that carried it", async () => {
    const body = { current_password: known, new_password: "short" };
    const answer = await ada.client.post(auth("change-password"), body);
    expectRefusal(answer, 400, "password is too weak", "weak_password");
    expect(answer.at("fields")).toEqual({
      new_password: { code: "too_short", message: "This must have at least 8 characters." },
    });
  });
});

describe("a body that can't be read", () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, type = "application/json"): Promise<Answer> =>
    createClient(target.url).post(auth("login"), undefined, { headers: { "content-type": type }, body });

  test.each([
    ['{"login": "ada",\n "password": hunter2}', "The body is not JSON: see line 2, column 14."],
    ['{"login": "ada', "The body is not JSON: see line 1, column 15."],
    ['["ada", "hunter2"]', "The body must be a JSON object."],
    ['{"a":'.repeat(21) + "1" + "}".repeat(21), "The body is nested more than 20 levels deep."],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "The body is not UTF-8."],
  ])("X-60 is told what is wrong with it and where, not what it held: %j", async (body, detail) => {
    const answer = await send(body);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.at("detail")).toBe(detail);
    expect(answer.text).not.toContain("hunter2");
  });

  test("is told which type it should have", async () => {
    const answer = await send("login=ada", "application/x-www-form-urlencoded");
    expectRefusal(answer, 415, "unsupported media type", "unsupported_media_type");
    expect(answer.at("detail")).toBe("The body must be sent as application/json, not compressed.");
  });
});
