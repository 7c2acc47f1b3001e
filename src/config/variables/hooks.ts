import { second } from "../../core/clock.ts";
import { hookPoints, isHookPoint, type HookPoint } from "../../core/people/hook.points.ts";
import { choice, duration, flag, list, type Kind } from "./kinds/kinds.ts";
import { variablesOf, type Named } from "./kinds/variable.ts";
import { privateAtHome, receiverUrl, webhookSecrets } from "./webhooks.ts";

const pointList: Kind<readonly HookPoint[]> = {
  complaint(value) {
    const items = list.read(value);
    return items.length > 0 && items.every(isHookPoint) ? undefined : `must be a list of ${hookPoints.join(", ")}`;
  },
  read: (value) => [...new Set(list.read(value).filter(isHookPoint))],
};

const hooks = variablesOf("Hooks");

/** Variables of hooks. A hook exists once both its address and its signing secret name it. */
export const hookVariables = {
  prefix: "HOOK",
  what: "hook",
  each: {
    url: hooks("HOOK_<NAME>_URL", receiverUrl, {
      description: "Makes a hook of that name: the program that is asked. https outside local and testing",
    }),
    secrets: hooks("HOOK_<NAME>_SECRET", webhookSecrets, {
      description:
        "Signs its questions: whsec_ and 24 to 64 random bytes in base64; while it is exchanged, both, separated by a space",
      secret: true,
    }),
    points: hooks("HOOK_<NAME>_POINTS", pointList, {
      otherwise: () => hookPoints.join(","),
      description: "When it is asked, of before.register, before.sign-in and before.token: always",
    }),
    timeoutMs: hooks("HOOK_<NAME>_TIMEOUT", duration(100, 10 * second), {
      fallback: "3s",
      description: "How long an answer may take, the wait for a turn included",
    }),
    onFailure: hooks("HOOK_<NAME>_ON_FAILURE", choice("deny", "allow"), {
      fallback: "deny",
      description: "What counts where it gives no answer, or none that can be read: deny or allow",
    }),
    allowPrivate: hooks("HOOK_<NAME>_ALLOW_PRIVATE", flag, {
      otherwise: privateAtHome,
      description:
        "Lets its address lead into private networks or to this machine, as that of an internal program does: true in local and testing, else false",
    }),
  },
} as const satisfies Named;
