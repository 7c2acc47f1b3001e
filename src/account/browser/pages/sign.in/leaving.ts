import { keptDestination } from "../../acts/storage.ts";
import { useAccount } from "../../context.ts";

/** Returns a function that leaves for the provider of an organization, which leads back to where the sign-in was to lead. */
export function useLeaving(): (start: string) => void {
  const { router } = useAccount();
  return (start) => {
    const next = router.destination() ?? router.href("/account");
    keptDestination.keep(next);
    // A provider leads back only to a path of this origin. The way to another origin goes through this page.
    const back = next.startsWith("/") ? next : router.href("/login", { next, signed_in: "" });
    location.assign(`${start}?next=${encodeURIComponent(back)}`);
  };
}
