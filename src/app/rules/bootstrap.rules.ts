import { bootstrapFaults } from "../../auth/index.ts";
import type { Config } from "../../config/index.ts";
import { inWords } from "../../core/text/in.words.ts";

const variables: Readonly<Record<"email" | "username" | "password", string>> = {
  email: "AUTH_BOOTSTRAP_EMAIL",
  username: "AUTH_BOOTSTRAP_USERNAME",
  password: "AUTH_BOOTSTRAP_PASSWORD",
};

/** Returns why the bootstrap account can't be made, each reason with its variable. A start would fail for them. */
export const bootstrapProblems = async ({ auth }: Config): Promise<readonly string[]> =>
  Object.entries(await bootstrapFaults(auth)).map(
    ([field, { complaint }]) => `${inWords(variables, field)} ${complaint}`,
  );
