import { useAccount } from "../../context.ts";
import type { Resource } from "../../acts/holdings.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";

/** Replaces data that is still being fetched, or could not be fetched. */
export function Awaited({ resource }: { readonly resource: Pick<Resource<unknown>, "hasFailed" | "load"> }) {
  const { account, trouble } = useAccount().words.value;
  if (!resource.hasFailed.value) return <Skeleton />;
  return (
    <div class="row">
      <p role="status">{account.notLoaded}</p>
      <Button onClick={() => void resource.load()}>{trouble.again}</Button>
    </div>
  );
}
