import { useAccount } from "./context.ts";
import { TroubleBar } from "./parts/trouble.tsx";

/** The page of the current path, which has been loaded before. The server sends no page for other paths. */
export function App() {
  const { router, pages } = useAccount();
  const { path = "/login" } = router.place.value;
  const Shown = pages.at(path);
  return (
    <>
      <TroubleBar />
      {Shown && <Shown key={path} />}
    </>
  );
}
