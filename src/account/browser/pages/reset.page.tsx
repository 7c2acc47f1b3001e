import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Added } from "../../../client/index.ts";
import { addedInWords } from "../../shared/added.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Button } from "../parts/button.tsx";
import { Check } from "../parts/form/check.tsx";
import { BrokenLink, DeadLink } from "../parts/dead.link.tsx";
import { Form } from "../parts/form/form.tsx";
import { NewPasswordField } from "../parts/form/new.password.field.tsx";
import { Page } from "../parts/page.tsx";
import { Refusal } from "../parts/form/refusal.tsx";
import { guide } from "../parts/form/password.guidance.ts";
import type { Ticket } from "../router.ts";
import { useWaiting } from "../acts/waiting.ts";

const keepName = (id: string): string => `keep.${id}`;

// The page does not know whose password it is. Only the server compares the password with the name and the address.
const owner = { username: "", email: "" };

/** Sets a new password by the link of a reset mail, or by the link of a mail about a second factor that somebody else has set up. */
export function ResetPage() {
  const { words, router } = useAccount();
  const outcome = useSignal<"asked" | "done" | "dead">("asked");
  const { link, reset } = words.value;
  const ticket = router.place.value.ticket;
  const again = { href: router.href("/forgot-password"), label: link.resetAgain };
  if (outcome.value === "done")
    return (
      <Page kind="entry" title={reset.done.title}>
        <p>{reset.done.lead}</p>
        <a class="button primary" href={router.href("/login")}>
          {reset.done.signIn}
        </a>
      </Page>
    );
  if (ticket === undefined) return <BrokenLink way={again} />;
  if (outcome.value === "dead") return <DeadLink reason={ticket.isReject ? link.undo : link.reset} way={again} />;
  return <Choosing ticket={ticket} onEnd={(end) => void (outcome.value = end)} />;
}

/** Returns everything that the reset removes by default. Where the request fails, changing the password fails as well, and says why. */
function useAdded(token: string): readonly Added[] {
  const { client } = useAccount();
  const added = useSignal<readonly Added[]>([]);
  useEffect(() => {
    void client.inspectPasswordReset({ token }).then((result) => {
      if (result.ok) added.value = result.added;
    });
  }, []);
  return added.value;
}

interface ChoosingProps {
  readonly ticket: Ticket;
  readonly onEnd: (end: "done" | "dead") => void;
}

function Choosing({ ticket: { token, isReject }, onEnd }: ChoosingProps) {
  const added = useAdded(token);
  const { words, client, settings } = useAccount();
  const { factors, fields, reset, titles } = words.value;
  const form = useForm({
    fields: [
      {
        name: "new_password",
        label: fields.newPassword,
        judge(value) {
          const { isGood, text } = guide(value, owner, settings.password, words.value);
          return isGood ? undefined : text;
        },
      },
    ],
    async send(valueOf) {
      const keep = added.filter(({ id }) => valueOf(keepName(id)) !== "").map(({ id }) => id);
      const result = await client.confirmPasswordReset({ token, new_password: valueOf("new_password"), keep });
      if (result.ok) onEnd("done");
      else if (result.code === "invalid_reset_token" || result.fields?.["token"] !== undefined) onEnd("dead");
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  return (
    <Page kind="entry" title={titles["/reset-password"]}>
      <p class="soft">{isReject ? factors.undo : reset.lead}</p>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Form state={form}>
        <NewPasswordField form={form} name="new_password" label={fields.newPassword} owner={owner} isFirst />
        {added.length > 0 && (
          <fieldset>
            <legend>{reset.added.title}</legend>
            <p>{reset.added.lead}</p>
            {added.map((each) => (
              <Check key={each.id} name={keepName(each.id)} label={reset.added.keep(addedInWords(each, reset.added))} />
            ))}
          </fieldset>
        )}
        <Button kind="primary" isBusy={form.isBusy.value} isDisabled={(waiting?.secondsLeft ?? 0) > 0}>
          {reset.submit}
        </Button>
      </Form>
    </Page>
  );
}
