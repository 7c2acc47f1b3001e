import { describe, expect, test } from "bun:test";
import { violations } from "./claims.ts";
import type { Answer, Intent, Operation } from "./history.ts";

const accepted: Answer = { outcome: "accepted" };
const refused: Answer = { outcome: "refused", reason: "unauthorized" };
const cutOff: Answer = { outcome: "unknown" };

/** Makes an operation. Events are in the order of their milliseconds. */
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

  test("allows nothing of a request whose process is dead to come later", () => {
    const over: Answer = { outcome: "unknown", over: true };
    const logout = operation(10, 12, { kind: "logout-all", session: "phone" }, over);
    const login = operation(13, 14, { kind: "login", password: "first" }, { ...accepted, opened: "tablet" });
    const hello = (session: string) => operation(15, 16, { kind: "hello", session }, refused);
    expect(found(logout, login, hello("laptop"))).toEqual([]);
    expect(found(logout, login, hello("tablet"))).toHaveLength(1);
  });

  test("finds an address registered twice, and takes one for taken only by a request that may have taken it", () => {
    const again = (answer: Answer) => operation(10, 11, { kind: "register", newPassword: "other" }, answer);
    const taken: Answer = { outcome: "refused", reason: "email_taken" };
    expect(found(again(accepted))).toHaveLength(1);
    expect(found(again(taken))).toEqual([]);
    expect(violations([again(taken)])).toHaveLength(1);
  });

  test("takes a token that came by mail for void only when a reset with any token may have voided it", () => {
    const mail = (sent: number, returned: number, grant: string) =>
      operation(sent, returned, { kind: "mail" }, { ...accepted, grant });
    const confirm = (sent: number, answer: Answer) =>
      operation(sent, sent + 1, { kind: "reset-confirm", grant: "one", newPassword: `reset at ${sent}` }, answer);
    const void_: Answer = { outcome: "refused", reason: "invalid_reset_token" };
    expect(found(mail(10, 20, "one"), confirm(21, void_))).toHaveLength(1);
    expect(found(mail(10, 20, "one"), mail(10, 40, "two"), confirm(21, void_))).toHaveLength(1);
    const other = { kind: "reset-confirm", grant: "two", newPassword: "reset by two" } as const;
    const reset = operation(21, 22, other, accepted);
    expect(found(mail(10, 20, "one"), mail(10, 20, "two"), reset, confirm(30, void_))).toEqual([]);
    expect(found(mail(10, 20, "one"), mail(10, 20, "two"), reset, confirm(30, accepted))).toHaveLength(1);
    expect(found(mail(10, 20, "one"), confirm(21, accepted), confirm(30, void_))).toEqual([]);
    expect(found(mail(10, 20, "one"), confirm(21, accepted), confirm(30, accepted)).length).toBeGreaterThan(0);
    const change = { kind: "change-password", session: "laptop", password: "first", newPassword: "second" } as const;
    expect(found(mail(10, 20, "one"), operation(22, 23, change, accepted), confirm(30, accepted))).toEqual([]);
  });
});
