import { expect, test } from "bun:test";
import { createDeviceProofs } from "../../src/auth/pressure/device.proof.ts";
import { hour } from "../../src/core/clock.ts";

type Account = { readonly id: string; readonly deviceEpoch: number };
const secret = "a signing key of the test, of no use elsewhere";
let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now };
/** Makes and reads proofs as the only cookie of a browser. */
const proofsWith = (key: string, ...previous: string[]) => {
  const proofs = createDeviceProofs({ secret: key, previousSecrets: previous, clock });
  const asTokens = (token: string | undefined) => (token === undefined ? [] : [token]);
  return {
    deviceOf: (token: string | undefined, account: Account | undefined) => proofs.deviceOf(asTokens(token), account),
    prove: (token: string | undefined, account: Account) => proofs.prove(asTokens(token), account),
  };
};
const proofs = proofsWith(secret);
const ada = { id: "019b0000-0000-7000-8000-000000000001", deviceEpoch: 0 };
const people = Array.from({ length: 7 }, (_, index) => ({ id: `user ${index}`, deviceEpoch: index }));

test("L-20 a device keeps its id, whoever signs in with it", () => {
  const first = proofs.prove(undefined, ada);
  const second = proofs.prove(first, people[1] ?? ada);
  expect(proofs.deviceOf(second, ada)).toBe(proofs.deviceOf(first, ada));
  expect(proofs.deviceOf(second, people[1])).toBe(proofs.deviceOf(first, ada));
  expect(proofs.deviceOf(proofs.prove(undefined, ada), ada)).not.toBe(proofs.deviceOf(first, ada));
  expect(proofs.deviceOf(second, people[2])).toBeUndefined();
  expect(proofs.deviceOf(second, undefined)).toBeUndefined();
});

test("L-20 it proves the five accounts that signed in last, and fits into a cookie", () => {
  const token = people.reduce<string | undefined>((before, person) => proofs.prove(before, person), undefined);
  expect(people.map((person) => proofs.deviceOf(token, person) !== undefined)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(token?.length).toBeLessThan(400);
  // Signing in again makes no second proof of the same account.
  expect(proofs.prove(proofs.prove(undefined, ada), ada).split("~")).toHaveLength(2);
});

test("L-20 a new password, another key and a year end it; a key that was replaced still proves", () => {
  const token = proofs.prove(undefined, ada);
  expect(proofs.deviceOf(token, { ...ada, deviceEpoch: 1 })).toBeUndefined();
  expect(proofsWith("another key, also of no use elsewhere").deviceOf(token, ada)).toBeUndefined();
  expect(proofsWith("another key, also of no use elsewhere", secret).deviceOf(token, ada)).toBeDefined();
  now += 365 * 24 * hour - 1_000;
  expect(proofs.deviceOf(token, ada)).toBeDefined();
  now += 1_000;
  expect(proofs.deviceOf(token, ada)).toBeUndefined();
});

test.each(["", "x", "~", "a".repeat(43), `${"a".repeat(43)}~1.${"b".repeat(43)}`, "\u0000", "x".repeat(5_000)])(
  "L-20 %j is no proof",
  (token) => {
    expect(proofs.deviceOf(token, ada)).toBeUndefined();
    expect(proofs.deviceOf(proofs.prove(token, ada), ada)).toBeDefined();
  },
);

test("L-20 a token that a sibling host has planted does not hide the browser's own", () => {
  const all = createDeviceProofs({ secret, previousSecrets: [], clock });
  const [own, planted] = [all.prove([], ada), all.prove([], { id: "mallory", deviceEpoch: 0 })];
  const id = all.deviceOf([own], ada);
  expect(id).toBeDefined();
  for (const tokens of [
    [own, planted],
    [planted, own],
    [planted, "rubbish", own],
  ]) {
    expect(all.deviceOf(tokens, ada)).toBe(id);
    expect(all.deviceOf([all.prove(tokens, ada)], ada)).toBe(id);
  }
});
