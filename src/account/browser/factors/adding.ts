import type { Passkey, Result } from "../../../client/index.ts";
import { createPasskey } from "../../../client/passkeys.ts";
import { useActing, type Acting } from "../acts/acting.ts";
import { useAccount } from "../context.ts";

/** Has the browser make a passkey, and adds it to the account. The service names the passkey. */
export function useAddingPasskey(onAdded: (passkey: Passkey) => void): Omit<Acting, "act"> & { add(): void } {
  const { client } = useAccount();
  const { act, ...state } = useActing();
  async function make(): Promise<Result<{ passkey: Passkey }>> {
    const asked = await client.getPasskeyCreationOptions();
    const made = asked.ok ? await createPasskey(asked.options) : asked;
    return made.ok ? client.addPasskey({ credential: made.credential }) : made;
  }
  return { ...state, add: () => void act(make, ({ passkey }) => onAdded(passkey)) };
}
