import type { ComponentChildren } from "preact";
import { around } from "../../../../words/message.ts";
import type { Result, User } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";

/** Returns a function that takes the answer of any sign-in: leads on, or to the next step. Resolves to the answer. */
export function useEndSignIn(): (result: Result<{ user: User }>) => Promise<Result<{ user: User }>> {
  const { client, router, session, settings } = useAccount();
  return async (result) => {
    if (!result.ok) {
      if (result.code === "mfa_required" && result.challenge !== undefined)
        router.toStep({ challenge: result.challenge });
      return result;
    }
    session.know(result.user);
    // A session without a second factor may do nothing but set one up, where the service demands one.
    const isAsked = settings.mfaRequired || settings.terms.version !== undefined;
    const me = isAsked ? await client.getMe() : undefined;
    if (me?.ok === true && me.mfa_setup_required) router.toStep({ setup: "" });
    else if (me?.ok === true && me.terms_due !== null) router.toStep({ terms: "" });
    else router.goOn();
    return result;
  };
}

/** Keeps the line of a name that is on its way, so that the form does not move when it comes. */
const lineToCome = "\u00a0";

/** Names the destination of a sign-in, where that is an app, a device or another site: "to go on to Shop". */
export function useDestinationInWords(): ComponentChildren {
  const { words, router, apps } = useAccount();
  const next = router.destination();
  if (next === undefined) return undefined;
  const { goOn, forDevice } = words.value.signIn;
  const onTo = (place: string): ComponentChildren => around(goOn, { place: <strong>{place}</strong> });
  if (!next.startsWith("/")) return onTo(new URL(next).host);
  if (apps.isDevice(next)) return forDevice;
  const name = apps.of(next)?.value;
  return name === null ? lineToCome : name && onTo(name);
}
