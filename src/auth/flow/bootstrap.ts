import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import type { FieldFaults } from "../../core/fields.ts";
import { createPasswordPolicy } from "../password/password.policy.ts";
import { readRegistration, registrationFaults } from "./registration.service.ts";

/**
 * Returns what is wrong with the account that a start is configured to make, by the field of a registration; nothing when it can be made.
 * Called before the start, which finds such a fault only once the database is open.
 */
export async function bootstrapFaults(auth: Config["auth"]): Promise<FieldFaults> {
  if (auth.bootstrap === undefined) return {};
  try {
    return await registrationFaults(createPasswordPolicy(auth), readRegistration(auth.bootstrap));
  } catch (error) {
    if (error instanceof AppError && error.fields !== undefined) return error.fields;
    throw error;
  }
}
