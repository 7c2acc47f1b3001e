import type { JSX } from "preact";
import type { Path } from "../../shared/settings.ts";
import { EmailLoginPage } from "./email.login.page.tsx";
import { ForgotPage } from "./forgot.page.tsx";
import { InvitationPage } from "./invitation/page.tsx";
import { RegisterPage } from "./register.page.tsx";
import { ResetPage } from "./reset.page.tsx";
import { UndoPage } from "./undo.page.tsx";
import { VerifyPage } from "./verify.page.tsx";

/** The pages that few people see, and nobody often. All of them share one file. */
export const seldomPages: Readonly<Record<Exclude<Path, "/login" | "/account">, () => JSX.Element>> = {
  "/register": RegisterPage,
  "/forgot-password": ForgotPage,
  "/reset-password": ResetPage,
  "/verify-email": VerifyPage,
  "/undo-email-change": UndoPage,
  "/accept-invitation": InvitationPage,
  "/email-login": EmailLoginPage,
};
