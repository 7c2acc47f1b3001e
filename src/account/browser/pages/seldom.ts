import type { JSX } from "preact";
import type { Path } from "../../shared/settings.ts";
import { EmailLoginPage } from "./email.login.page.tsx";
import { ForgotPage } from "./forgot.page.tsx";
import { RegisterPage } from "./register.page.tsx";
import { ResetPage } from "./reset.page.tsx";
import { UndoPage } from "./undo.page.tsx";
import { VerifyPage } from "./verify.page.tsx";

type Seldom = Exclude<Path, "/login" | "/account" | "/account/organization" | "/accept-invitation">;

/** The pages that few people see, and nobody often. All of them share one file. */
export const seldomPages: Readonly<Record<Seldom, () => JSX.Element>> = {
  "/register": RegisterPage,
  "/forgot-password": ForgotPage,
  "/reset-password": ResetPage,
  "/verify-email": VerifyPage,
  "/undo-email-change": UndoPage,
  "/email-login": EmailLoginPage,
};
