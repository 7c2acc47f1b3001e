import { useAccount } from "../context.ts";

/** Says why no passkey of the account can be used, and what to do. `isElsewhere`: all of them belong to another domain. */
export function StuckWords({ isElsewhere }: { readonly isElsewhere: boolean }) {
  const { settings, words } = useAccount();
  const { elsewhere, unsupported, help } = words.value.factors.stuck;
  return (
    <>
      <p>{isElsewhere ? elsewhere(settings.product) : unsupported}</p>
      <p>{help(settings.product)}</p>
    </>
  );
}
