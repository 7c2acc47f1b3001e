import { bootstrapFaults } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";

const variables: Readonly<Record<string, string>> = {
  email: "AUTH_BOOTSTRAP_EMAIL",
  username: "AUTH_BOOTSTRAP_USERNAME",
  password: "AUTH_BOOTSTRAP_PASSWORD",
};

/** Returns why the bootstrap account can't be made, each reason with its variable. A start would fail for them. */
export const bootstrapProblems = async ({ auth }: Config): Promise<readonly string[]> =>
  Object.entries(await bootstrapFaults(auth)).map(
    ([field, { complaint }]) => `${variables[field] ?? field} ${complaint}`,
  );
