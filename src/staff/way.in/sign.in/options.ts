import type { PageAuth, PageFactors } from "../../../auth/index.ts";
import type { Config } from "../../../config/index.ts";
import type { PasswordRules } from "../../../core/people/password.rules.ts";
import type { createFormTokens } from "../../../http/pages/form.tokens.ts";
import type { StaffFrame } from "../../frame/context.ts";
import type { EntryPages } from "./entry.ts";

export interface SignInOptions {
  readonly config: Pick<Config, "app" | "auth">;
  readonly auth: PageAuth;
  readonly factors: PageFactors;
  readonly frame: StaffFrame;
  readonly entry: EntryPages;
  /** Tokens of forms that belong to a session. */
  readonly tokens: ReturnType<typeof createFormTokens>;
  readonly passwordRules: PasswordRules;
}
