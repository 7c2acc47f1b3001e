import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import { createPasswordPolicy } from "../password/password.policy.ts";
import { addressKey, ownUsernameKey } from "../user/profile.fields.ts";
import { readRegistration } from "./registration.service.ts";

/**
 * What is wrong with the account that a start is configured to make, by the field of a registration; nothing when it can be made.
 * Asked before a start, which would fail over it only once the database is open.
 */
export async function bootstrapFlaws(auth: Config["auth"]): Promise<Readonly<Record<string, string>>> {
  if (auth.bootstrap === undefined) return {};
  try {
    const { email, username = email, password } = readRegistration(auth.bootstrap);
    ownUsernameKey(username, addressKey(email));
    await createPasswordPolicy(auth).enforce(password, { username, email }, "password");
    return {};
  } catch (error) {
    if (error instanceof AppError && error.fields !== undefined) return error.fields;
    throw error;
  }
}
