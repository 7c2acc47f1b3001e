import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useAccount } from "../../context.ts";
import { Button } from "../../parts/form.tsx";

/**
 * Offers the provider of an organization once somebody has typed an address below its domain, before they are asked for a password. `look`
 * is called with what was typed.
 */
export function useOwnProvider() {
  const { client, settings, router, words } = useAccount();
  const found = useSignal<{ readonly name: string; readonly start: string } | null>(null);
  const asked = useRef("");

  async function look(login: string): Promise<void> {
    if (settings.organizations === undefined || login === asked.current) return;
    asked.current = login;
    const answer = login.includes("@") ? await client.findLoginProvider({ login }) : undefined;
    if (asked.current === login) found.value = answer?.ok === true ? answer.provider : null;
  }

  const { value } = found;
  const offer = value && (
    <Button kind="provider" onClick={() => router.toProvider(value.start)}>
      {words.value.signIn.provider(value.name)}
    </Button>
  );
  return { look, offer };
}
