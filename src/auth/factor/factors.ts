import type { UserRow } from "../user/user.repository.ts";
import type { FactorAnswer, FactorContext, FactorMethod, FactorName, PasskeyRequest } from "./method.ts";

export const createFactors = (methods: readonly FactorMethod[]) => ({
  /** Returns the factors that the account has. Makes no query where it has none. */
  async of(user: UserRow): Promise<readonly FactorName[]> {
    if (user.factors === 0) return [];
    const isSetUp = await Promise.all(methods.map((method) => method.isSetUp(user)));
    return methods.filter((_, index) => isSetUp[index] === true).map(({ name }) => name);
  },

  /** Checks an answer. Writes nothing: see FactorMethod. */
  async check(user: UserRow, answer: FactorAnswer, context: FactorContext): ReturnType<FactorMethod["check"]> {
    const method = user.factors === 0 ? undefined : methods.find(({ name }) => name === answer.method);
    if (method === undefined || !(await method.isSetUp(user))) return { refused: "no_such_factor" };
    return method.check(user, answer, context);
  },

  /** Returns what a browser needs to ask for a passkey; undefined where the account has none. */
  async passkeyOptions(user: UserRow, webauthnChallenge: string): Promise<PasskeyRequest | undefined> {
    const passkey = methods.find(({ name }) => name === "passkey");
    if (passkey?.options === undefined || !(await passkey.isSetUp(user))) return undefined;
    return passkey.options(user, webauthnChallenge);
  },
});

export type Factors = ReturnType<typeof createFactors>;
