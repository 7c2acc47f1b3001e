import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Result, User } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { Button } from "../../parts/form.tsx";
import { useEndSignIn } from "./ending.tsx";
import { useLeaving } from "./leaving.ts";

/** As `useEndSignIn`, and goes on to the provider that an organization demands. */
export function useEndOrLeave(): (result: Result<{ user: User }>) => Promise<Result<{ user: User }>> {
  const end = useEndSignIn();
  const leave = useLeaving();
  return async (result) => {
    if (!result.ok && result.redirect !== undefined) leave(result.redirect);
    return end(result);
  };
}

/**
 * Offers the provider of an organization once somebody has typed an address below its domain, before they are asked for a password. `look`
 * is called with what was typed.
 */
export function useOwnProvider() {
  const { client, settings, words } = useAccount();
  const leave = useLeaving();
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
    <Button kind="provider" onClick={() => leave(value.start)}>
      {words.value.signIn.provider({ label: value.name })}
    </Button>
  );
  return { look, offer };
}
