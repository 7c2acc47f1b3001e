import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Me } from "../../../client/index.ts";
import { useActing } from "../acts/sending.ts";
import { useAccount } from "../context.ts";
import { Button } from "./form.tsx";

/** Says that it is not the person who looks at their account, and ends that. Not every page asks who is there, so this part does. */
export function ImpersonationBar() {
  const { words, session, settings, client } = useAccount();
  const { act, ...progress } = useActing();
  const me = useSignal<Me | undefined>(undefined);
  const id = session.user.value?.id;
  useEffect(() => {
    me.value = undefined;
    if (id !== undefined || session.mayBeSignedIn())
      void client.getMe().then((result) => {
        if (result.ok) me.value = result;
      });
  }, [id]);
  const { impersonator = null, user } = me.value ?? {};
  if (impersonator === null) return <></>;
  const { acting, end } = words.value.impersonation;
  const leave = (): void => location.assign(impersonator.return_to ?? settings.home);
  return (
    <div class="impersonation" role="status">
      <p>
        <bdi>{acting({ staff: impersonator.name, person: user?.display_name ?? "" })}</bdi>
      </p>
      <Button progress={progress} onClick={() => void act(client.logout, leave)}>
        {end}
      </Button>
    </div>
  );
}
