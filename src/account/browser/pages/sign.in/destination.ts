import { useAccount } from "../../context.ts";

/** Names the destination of a sign-in, where that is another site: "to go on to shop.example.com". */
export function useDestinationInWords(): string | undefined {
  const { words, router } = useAccount();
  const next = router.destination();
  return next === undefined || next.startsWith("/") ? undefined : words.value.signIn.goOn(new URL(next).host);
}
