import { expect, test } from "bun:test";
import { createSeal } from "../../src/core/keys/seal.ts";

const purpose = "secrets of a test";
const [one, two] = ["a key of the test", "another key of the test"];
const seal = createSeal({ key: one, previousKeys: [], purpose });

test("Z-27 a sealed text opens with its key, for its purpose and in its context, and differs each time", () => {
  const sealed = seal.seal("Zwergnase", "a row");
  expect(seal.seal("Zwergnase", "a row")).not.toBe(sealed);
  expect(sealed).not.toContain("Zwergnase");
  expect(seal.open(sealed, "a row")).toBe("Zwergnase");
  expect(seal.open(sealed, "another row")).toBeUndefined();
  expect(createSeal({ key: two, previousKeys: [], purpose }).open(sealed, "a row")).toBeUndefined();
  expect(createSeal({ key: one, previousKeys: [], purpose: "others" }).open(sealed, "a row")).toBeUndefined();
  const renewed = createSeal({ key: two, previousKeys: ["", one], purpose });
  expect([renewed.open(sealed, "a row"), renewed.isCurrent(sealed), seal.isCurrent(sealed)]).toEqual([
    "Zwergnase",
    false,
    true,
  ]);
  expect(seal.open(seal.seal("", "a row"), "a row")).toBe("");
});

test("Z-27 a sealed text that was changed opens nowhere", () => {
  const sealed = seal.seal("Zwergnase", "a row");
  const [version, name, body = ""] = sealed.split(".");
  const bytes = Buffer.from(body, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.at(at) ?? 0) ^ 1, at);
    expect(seal.open([version, name, changed.toString("base64url")].join("."), "a row")).toBeUndefined();
  }
  for (const broken of [
    "",
    "1",
    `2.${name}.${body}`,
    `1.00000000.${body}`,
    `1.${name}.`,
    `1.${name}.${body.slice(0, 20)}`,
  ])
    expect(seal.open(broken, "a row")).toBeUndefined();
});
