import { describe, expect, test } from "bun:test";
import { createPasswordPolicy, passwordRules } from "../../src/auth/password/password.policy.ts";
import { guide } from "../../src/account/browser/parts/password.guidance.ts";
import { asClock, relatively } from "../../src/account/browser/time.ts";
import { lasting } from "../../src/account/shared/in.words.ts";
import { english, german } from "../support/words.ts";

const owner = { username: "ada@example.test", email: "ada@example.test" };

describe("what is said of a password while it is typed", () => {
  const every = { upper: true, lower: true, number: true, symbol: true };
  const settings = [
    {
      passwordMinLengthAlone: 8,
      mfaRequired: false,
      passwordMinLength: 8,
      passwordRequire: { upper: false, lower: false, number: false, symbol: false },
    },
    { passwordMinLengthAlone: 8, mfaRequired: false, passwordMinLength: 15, passwordRequire: every },
  ];
  const passwords = [
    "a",
    "seven c",
    "eight ch",
    "éight çh",
    "👩‍👩‍👧‍👦",
    "ALL UPPER 1!",
    "all lower words 1!",
    "No Digits Here At All!",
    "NoSymbolsHereAtAll1",
    "Everything 1 needs!",
    "ada@example.test",
    "Ada example test",
    "gatehouse",
    "x".repeat(256),
    "x".repeat(257),
  ];

  test("is what the server decides, but for the list of common passwords", async () => {
    const differing: string[] = [];
    for (const options of settings) {
      const policy = createPasswordPolicy(options);
      for (const password of passwords) {
        const { isGood } = guide(password, owner, passwordRules(options), english);
        const fault = await policy.weakness(password, owner);
        if (isGood !== (fault === undefined) && fault?.code !== "too_common") differing.push(password);
      }
    }
    expect(differing).toEqual([]);
  });

  test("names what is missing", () => {
    const rules = passwordRules({
      passwordMinLengthAlone: 8,
      mfaRequired: false,
      passwordMinLength: 8,
      passwordRequire: every,
    });
    const said = (password: string): string => guide(password, owner, rules, english).text;
    expect(said("")).toStartWith("At least 8 characters.");
    expect(said("seven c")).toBe("One more character.");
    expect(said("no upper 1!")).toBe("Add an upper-case letter.");
    expect(said("NO LOWER 1!")).toBe("Add a lower-case letter.");
    expect(said("No Digits!")).toBe("Add a digit.");
    expect(said("NoSymbols1")).toBe("Add a symbol, such as ! or #.");
    expect(said("Good pass 1!")).toBe("Good password.");
    expect(said("A strong password, 1")).toBe("Strong password.");
  });
});

describe("times", () => {
  const now = Date.parse("2026-03-01T12:00:00Z");

  test("are relative in the reader's language", () => {
    expect(relatively("2026-03-01T09:59:00Z", now, english)).toBe("2 hours ago");
    expect(relatively("2026-03-01T11:59:40Z", now, english)).toBe("just now");
    expect(relatively("2026-02-28T11:00:00Z", now, german)).toBe("gestern");
  });

  test("last as people say it", () => {
    expect([lasting(3_600_000, english), lasting(1_800_000, english)]).toEqual(["one hour", "30 minutes"]);
    expect([lasting(60_000, german), lasting(86_400_000, german)]).toEqual(["eine Minute", "24 Stunden"]);
    expect([asClock(0), asClock(65), asClock(900)]).toEqual(["0:00", "1:05", "15:00"]);
  });
});
