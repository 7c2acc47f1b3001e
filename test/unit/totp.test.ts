import { describe, expect, test } from "bun:test";
import { encode } from "uqr";
import { encodeBase32UpperCaseNoPadding } from "@oslojs/encoding";
import { newRecoveryCodes, recoveryCodeHash } from "../../src/auth/factor/recovery/recovery.code.ts";
import { newTotpSecret, otpauthUri, stepOf } from "../../src/auth/factor/totp/totp.ts";
import { qrSvg } from "../../src/auth/factor/totp/totp.qr.ts";
import { hotp, stepMs } from "../support/totp.ts";

/** The secret of the test vectors in RFC 4226, appendix D, and RFC 6238, appendix B. */
const secret = encodeBase32UpperCaseNoPadding(new TextEncoder().encode("12345678901234567890"));

describe("M-02 a code of an authenticator app", () => {
  // Codes of RFC 4226, appendix D.
  const ofCounters = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");

  test.each(ofCounters.map((code, counter) => [counter, code] as const))(
    "is right at the time step %i of RFC 4226: %s",
    async (counter, code) => {
      expect(await stepOf(code, secret, counter * stepMs)).toBe(counter);
      expect(hotp(secret, counter)).toBe(code);
    },
  );

  // Codes of RFC 6238, appendix B, have eight digits: the last six of them count here.
  const ofTimes = [
    [59, "94287082"],
    [1_111_111_109, "07081804"],
    [1_111_111_111, "14050471"],
    [1_234_567_890, "89005924"],
    [2_000_000_000, "69279037"],
    [20_000_000_000, "65353130"],
  ] as const;

  test.each(ofTimes)("is right at the second %i of RFC 6238: %s", async (seconds, code) => {
    expect(await stepOf(code.slice(2), secret, seconds * 1_000)).toBe(Math.floor(seconds / 30));
  });

  test("is right in the step before and the one after its own, and no further", async () => {
    const step = 41_152_263;
    const code = hotp(secret, step);
    const around = [-2, -1, 0, 1, 2];
    const found = await Promise.all(around.map((away) => stepOf(code, secret, (step + away) * stepMs)));
    expect(found).toEqual([undefined, step, step, step, undefined]);
    // Bounds hold to the millisecond.
    expect(await stepOf(code, secret, (step + 2) * stepMs - 1)).toBe(step);
    expect(await stepOf(code, secret, (step - 1) * stepMs - 1)).toBeUndefined();
  });

  test("may be typed with a space in its middle, and is nothing else than six digits", async () => {
    const code = hotp(secret, 1);
    expect(await stepOf(`${code.slice(0, 3)} ${code.slice(3)}`, secret, stepMs)).toBe(1);
    const wrong = ["", code.slice(1), `${code}0`, `+${code}`, "287082e0", "٢٨٧٠٨٢", "undefined"];
    expect(await Promise.all(wrong.map((typed) => stepOf(typed, secret, stepMs)))).toEqual(wrong.map(() => undefined));
  });
});

test("M-20 a secret has 160 bits, and no two are alike", () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  expect(secrets.filter((made) => !/^[A-Z2-7]{32}$/.test(made))).toEqual([]);
  expect(new Set(secrets).size).toBe(100);
});

test("M-20 the address that authenticator apps read has every value that they could guess wrong", async () => {
  const uri = new URL(await otpauthUri("Ada's Shop: 100 %", "ada+work@example.test", secret));
  expect(`${uri.protocol}${uri.hostname}`).toBe("otpauth:totp");
  expect(decodeURIComponent(uri.pathname)).toBe("/Ada's Shop: 100 %:ada+work@example.test");
  // Apps don't read a plus sign as a space.
  expect(uri.search).not.toContain("+");
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: "Ada's Shop: 100 %",
    algorithm: "SHA1",
    secret,
    period: "30",
    digits: "6",
  });
});

test("M-20 the QR code has its own white ground, a name for those who don't see it, and no style of its own", async () => {
  const uri = await otpauthUri("Gatehouse", "ada@example.test", secret);
  const svg = await qrSvg(uri);
  expect(svg).toStartWith("<svg ");
  expect(svg).toContain('role="img" aria-label="QR code for an authenticator app"');
  expect(svg).toMatch(/<path fill="#fff" d="M0 0h(\d+)v\1H0z"\/>/);
  expect(svg).not.toMatch(/style|<script|href|\son/);
  // The picture has, module for module, what the library has made of the text, with four light modules around it.
  const { data, size } = encode(uri, { ecc: "M", border: 4 });
  const drawn = data.map((row) => row.map(() => false));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  expect(drawn).toEqual(data);
  expect(svg).toContain(`viewBox="0 0 ${size} ${size}"`);
});

describe("M-03 recovery codes", () => {
  test("have 120 bits each, in groups that people can type", () => {
    const codes = Array.from({ length: 20 }, newRecoveryCodes);
    expect(new Set(codes.flat()).size).toBe(200);
    expect(codes.flat().filter((code) => !/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/.test(code))).toEqual(
      [],
    );
    // Every character of the alphabet comes up: the way of picking leaves none out.
    expect(new Set(codes.flat().join("").replaceAll("-", "")).size).toBe(32);
  });

  test("are found whatever case, hyphens and spaces they are typed with, and whatever look-alikes", () => {
    const code = "0a1b-2c3d-4e5f-6g7h-8j9k-mnpq";
    const alike = [
      code.toUpperCase(),
      code.replaceAll("-", ""),
      code.replaceAll("-", " "),
      ` ${code} `,
      code.replaceAll("-", "–"),
      "Oa1b-2c3d-4e5f-6g7h-8j9k-mnpq",
      "0alb-2c3d-4e5f-6g7h-8j9k-mnpq",
      "0aIb-2c3d-4e5f-6g7h-8j9k-mnpq",
    ];
    expect(new Set(alike.map(recoveryCodeHash))).toEqual(new Set([recoveryCodeHash(code)]));
    const others = ["", code.slice(1), `${code}0`, code.replace("0", "2")];
    expect(others.filter((typed) => recoveryCodeHash(typed) === recoveryCodeHash(code))).toEqual([]);
  });
});
