import { auth, minute, type Person } from "./auth.ts";
import { codeOf } from "./totp.ts";
import type { Rows } from "./rows.ts";

/** A person with an authenticator app. */
export interface Protected {
  /** In base32. */
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets an authenticator app up in the person's browser. The code of the present step is used by that. */
export async function setUpTotp({ client, username }: Pick<Person, "client" | "username">): Promise<Protected> {
  const begun = await client.post(auth("mfa/totp/setup"));
  if (begun.status !== 200) throw new Error(`${username} could not begin: ${begun.text}`);
  const secret = begun.textAt("secret");
  const confirmed = await client.post(auth("mfa/totp/confirm"), { code: codeOf(secret) });
  const recoveryCodes = confirmed.at("recovery_codes");
  if (!Array.isArray(recoveryCodes)) throw new Error(`${username} could not confirm: ${confirmed.text}`);
  return { secret, recoveryCodes: recoveryCodes.map(String) };
}

/** The proof of every session of that person is from an hour ago. */
export function outdateProof(rows: Rows, { id }: Pick<Person, "id">): void {
  rows.run("update auth_sessions set proved_at = ? where user_id = ?", Date.now() - 60 * minute, id);
}
