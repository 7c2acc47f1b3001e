import { useAccount } from "./context.ts";
import { TroubleBar } from "./parts/trouble.tsx";
import { AccountPage } from "./pages/account.page.tsx";
import { SignInPage } from "./pages/sign.in.page.tsx";
import type { Path } from "../shared/settings.ts";

const pages = {
  "/login": SignInPage,
  "/register": SignInPage,
  "/forgot-password": SignInPage,
  "/reset-password": SignInPage,
  "/verify-email": SignInPage,
  "/undo-email-change": SignInPage,
  "/account": AccountPage,
} as const satisfies Readonly<Record<Path, () => unknown>>;

/** The page of the current path. */
export function App() {
  const { router } = useAccount();
  const { path } = router.place.value;
  const Shown = pages[path ?? "/login"];
  return (
    <>
      <TroubleBar />
      <Shown key={path} />
    </>
  );
}
