import { auth, minute, type Person } from "./auth.ts";
import { createClient, type Answer } from "./client.ts";
import { hotp, stepAt } from "./totp.ts";
import type { Rows } from "./rows.ts";

/** The authenticator app of a person. */
export interface Protected {
  /** The secret in base32. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The time step of the confirming code, which is used up; the next one is not. */
  readonly step: number;
}

/** Sets an authenticator app up in the person's browser. That uses up the code of the present step. */
export async function setUpTotp({ client, username }: Pick<Person, "client" | "username">): Promise<Protected> {
  const begun = await client.post(auth("mfa/totp/setup"));
  if (begun.status !== 200) throw new Error(`${username} could not begin: ${begun.text}`);
  const secret = begun.textAt("secret");
  const step = stepAt(Date.now());
  const confirmed = await client.post(auth("mfa/totp/confirm"), { code: hotp(secret, step) });
  const recoveryCodes = confirmed.at("recovery_codes");
  if (!Array.isArray(recoveryCodes)) throw new Error(`${username} could not confirm: ${confirmed.text}`);
  return { secret, recoveryCodes: recoveryCodes.map(String), step };
}

/** Dates the proof of every session of that person an hour back. */
export function outdateProof(rows: Rows, { id }: Pick<Person, "id">): void {
  rows.run("update auth_sessions set proved_at = ? where user_id = ?", Date.now() - 60 * minute, id);
}

/** Gives the right password in a new browser. Resolves to a function that finishes the sign-in there with a second factor. */
export async function challenged(url: string, { email, username, password }: Person) {
  const client = createClient(url);
  const answer = await client.post(auth("login"), { login: email, password });
  if (answer.status !== 401 || answer.at("code") !== "mfa_required") throw new Error(`${username}: ${answer.text}`);
  const challenge = answer.textAt("challenge");
  return {
    client,
    verify: (method: "totp" | "recovery_code", code: string): Promise<Answer> =>
      client.post(auth("login/verify"), { challenge, method, code }),
  };
}
