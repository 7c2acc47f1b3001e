import { describe, expect, test } from "bun:test";
import { violations } from "./claims.ts";
import type { Answer, Intent, Operation } from "./history.ts";

const accepted: Answer = { outcome: "accepted" };
const refused: Answer = { outcome: "refused", reason: "unauthorized" };
const cutOff: Answer = { outcome: "unknown" };

/** Times in one: the order of events is their millisecond too. */
const operation = (sent: number, returned: number, intent: Omit<Intent, "by" | "user">, answer: Answer): Operation => ({
  by: "ada",
  user: "ada",
  session: undefined,
  secret: undefined,
  target: undefined,
  password: undefined,
  newPassword: undefined,
  grant: undefined,
  closing: false,
  ...intent,
  sent,
  returned,
  sentAt: sent,
  returnedAt: returned,
  answer,
});

const opened = [
  operation(1, 2, { kind: "register", newPassword: "first" }, accepted),
  operation(3, 4, { kind: "login", password: "first" }, { ...accepted, opened: "laptop", secret: "one" }),
  operation(5, 6, { kind: "login", password: "first" }, { ...accepted, opened: "phone", secret: "two" }),
];

const found = (...operations: Operation[]): string[] => violations([...opened, ...operations]);

describe("the model", () => {
  test("finds what is accepted after its end was answered, and lets pass what overlaps it", () => {
    const logout = operation(10, 12, { kind: "logout", session: "laptop" }, accepted);
    expect(found(logout, operation(13, 14, { kind: "hello", session: "laptop" }, accepted))).toHaveLength(1);
    for (const answer of [accepted, refused]) {
      expect(found(logout, operation(11, 14, { kind: "hello", session: "laptop" }, answer))).toEqual([]);
    }
    expect(found(logout, operation(13, 14, { kind: "hello", session: "phone" }, accepted))).toEqual([]);
  });

  test("finds a refusal without a cause, whatever comes later", () => {
    const hello = operation(10, 11, { kind: "hello", session: "laptop" }, refused);
    expect(found(hello)).toHaveLength(1);
    expect(found(hello, operation(12, 13, { kind: "logout-all", session: "phone" }, accepted))).toHaveLength(1);
  });

  test("finds a secret spent twice, and one that nobody could spend", () => {
    const refresh = (sent: number, answer: Answer) =>
      operation(sent, sent + 5, { kind: "refresh", session: "laptop", secret: "one" }, answer);
    expect(found(refresh(10, { ...accepted, secret: "three" }), refresh(11, refused))).toEqual([]);
    expect(
      found(refresh(10, { ...accepted, secret: "three" }), refresh(11, { ...accepted, secret: "four" })),
    ).toHaveLength(1);
    expect(found(refresh(10, refused), refresh(11, refused))).toHaveLength(2);
  });

  test("takes a rotated secret for a race within ten seconds, for a theft after", () => {
    const rotated = operation(
      10,
      11,
      { kind: "refresh", session: "laptop", secret: "one" },
      { ...accepted, secret: "three" },
    );
    const again = (sent: number) =>
      operation(sent, sent + 1, { kind: "refresh", session: "laptop", secret: "one" }, refused);
    const hello = (answer: Answer) => operation(30_000, 30_001, { kind: "hello", session: "laptop" }, answer);
    expect(found(rotated, again(9_000), hello(accepted))).toEqual([]);
    expect(found(rotated, again(9_000), hello(refused))).toHaveLength(1);
    expect(found(rotated, again(20_000), hello(refused))).toEqual([]);
    expect(found(rotated, again(20_000), hello(accepted))).toHaveLength(1);
  });

  test("allows a request that was cut off to have been done or not, and an answered one only to have been done", () => {
    const change = (answer: Answer) =>
      operation(
        10,
        answer === cutOff ? Number.POSITIVE_INFINITY : 11,
        {
          kind: "change-password",
          session: "laptop",
          password: "first",
          newPassword: "second",
        },
        answer,
      );
    const login = (password: string, answer: Answer) => operation(20, 21, { kind: "login", password }, answer);
    const wrong: Answer = { outcome: "refused", reason: "invalid_credentials" };
    for (const password of ["first", "second"]) {
      for (const answer of [accepted, wrong]) expect(found(change(cutOff), login(password, answer))).toEqual([]);
    }
    expect(found(change(accepted), login("first", wrong))).toEqual([]);
    expect(found(change(accepted), login("first", accepted))).toHaveLength(1);
    expect(found(change(accepted), login("second", wrong))).toHaveLength(1);
  });
});
