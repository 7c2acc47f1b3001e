import { bootstrapFaults } from "../auth/index.ts";
import type { Config } from "../config/index.ts";

const variables: Readonly<Record<string, string>> = {
  email: "AUTH_BOOTSTRAP_EMAIL",
  username: "AUTH_BOOTSTRAP_USERNAME",
  password: "AUTH_BOOTSTRAP_PASSWORD",
};

/** Why the account that a start is to make can't be made, each by its variable; the start would fail over it. */
export const bootstrapProblems = async ({ auth }: Config): Promise<readonly string[]> =>
  Object.entries(await bootstrapFaults(auth)).map(
    ([field, { complaint }]) => `${variables[field] ?? field} ${complaint}`,
  );
