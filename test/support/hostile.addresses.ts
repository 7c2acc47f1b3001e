/** Addresses that nobody can have, each with its flaw. */
export const hostileAddresses: readonly (readonly [flaw: string, email: string])[] = [
  ["a full-width @ in the local part", "ada\uff20home@example.test"],
  ["a local part that becomes a space", "ada\u00a8x@example.test"],
  ["a local part that becomes dots", "ada\u2025x@example.test"],
  ["a local part that becomes a colon", "ada\uff1ax@example.test"],
  ["a local part longer than it looks", `${"\ufdfa".repeat(10)}@example.test`],
  ["a character that shows nothing", "ada\ufe0f@example.test"],
  ["a path after the domain", "ada@example.test/x"],
  ["a query after the domain", "ada@example.test?x"],
  ["a fragment after the domain", "ada@example.test#x"],
  ["a domain with percent-encoding", "ada@ex%61mple.test"],
];
