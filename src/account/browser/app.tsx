import type { JSX } from "preact";
import { useAccount } from "./context.ts";
import { AccountPage } from "./pages/account/page.tsx";
import { EmailLoginPage } from "./pages/email.login.page.tsx";
import { ForgotPage } from "./pages/forgot.page.tsx";
import { InvitationPage } from "./pages/invitation/page.tsx";
import { RegisterPage } from "./pages/register.page.tsx";
import { ResetPage } from "./pages/reset.page.tsx";
import { SignInPage } from "./pages/sign.in/page.tsx";
import { UndoPage } from "./pages/undo.page.tsx";
import { VerifyPage } from "./pages/verify.page.tsx";
import { TroubleBar } from "./parts/trouble.tsx";
import type { Path } from "../shared/settings.ts";

const pages: Readonly<Record<Path, () => JSX.Element>> = {
  "/login": SignInPage,
  "/register": RegisterPage,
  "/forgot-password": ForgotPage,
  "/reset-password": ResetPage,
  "/verify-email": VerifyPage,
  "/undo-email-change": UndoPage,
  "/accept-invitation": InvitationPage,
  "/email-login": EmailLoginPage,
  "/account": AccountPage,
};

/** The page of the current path. The server sends none for other paths. */
export function App() {
  const { path = "/login" } = useAccount().router.place.value;
  const Shown = pages[path];
  return (
    <>
      <TroubleBar />
      <Shown key={path} />
    </>
  );
}
