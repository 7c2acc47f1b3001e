import { createHmac, randomBytes } from "node:crypto";
import { encodeBase32UpperCaseNoPadding } from "@oslojs/encoding";
import { auth, type Person } from "./auth.ts";
import { createClient, type Answer, type Client } from "./client.ts";
import type { Rows } from "./rows.ts";

const stepMs = 30_000;

/** Returns the code of a time step (RFC 6238). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

export interface Authenticator {
  /** Returns the current code, and lets it work again: the account forgets that it was used. */
  code(): string;
  /** Returns a code that is wrong now and a step before and after. */
  wrong(): string;
}

/** Gives the account an authenticator app as its second factor, as if it had been set up. */
export function giveAuthenticator(rows: Rows, { id }: Pick<Person, "id">): Authenticator {
  const secret = randomBytes(20);
  const now = Date.now();
  rows.run(
    "insert into auth_totp (user_id, secret, confirmed_at, last_step, created_at) values (?, ?, ?, 0, ?)",
    id,
    encodeBase32UpperCaseNoPadding(secret),
    now,
    now,
  );
  rows.run("update users set factors = factors + 1 where id = ?", id);
  const step = (): number => Math.floor(Date.now() / stepMs);
  return {
    code() {
      rows.run("update auth_totp set last_step = 0 where user_id = ?", id);
      return totpCode(secret, step());
    },
    wrong() {
      const right = new Set([-2, -1, 0, 1, 2].map((off) => totpCode(secret, step() + off)));
      for (let number = 0; ; number += 1) {
        const code = String(number).padStart(6, "0");
        if (!right.has(code)) return code;
      }
    },
  };
}

export interface Challenged {
  readonly browser: Client;
  readonly challenge: string;
  readonly answer: Answer;
}

/** Makes a browser that has given the right password and is asked for a second factor. `known` is a browser that the account knows. */
export async function challengedAt(
  url: string,
  { email, password }: Person,
  fields: object = {},
  known?: Client,
): Promise<Challenged> {
  const browser = createClient(url);
  const device = known?.cookie("auth_device");
  if (device !== undefined) browser.setCookie("auth_device", device);
  const answer = await browser.post(auth("login"), { login: email, password, ...fields });
  if (answer.at("code") !== "mfa_required") throw new Error(`not asked for a second factor: ${answer.text}`);
  return { browser, challenge: answer.textAt("challenge"), answer };
}

export const verify = ({ browser, challenge }: Omit<Challenged, "answer">, code: string): Promise<Answer> =>
  browser.post(auth("login/verify"), { challenge, method: "totp", code });
