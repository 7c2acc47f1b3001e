import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Added } from "../../../client/index.ts";
import { addedInWords } from "../../shared/in.words.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Check, NewPasswordField, useNewPassword } from "../parts/fields.tsx";
import { PageForm } from "../parts/form.tsx";
import { BrokenLink, LeadOn, Page } from "../parts/page.tsx";
import type { Ticket } from "../router.ts";

const keepName = (id: string): string => `keep.${id}`;

// The page does not know whose password it is. Only the server compares the password with the name and the address.
const owner = { username: "", email: "" };

/** Sets a new password by the link of a reset mail, or by the link of a mail about a second factor that somebody else has set up. */
export function ResetPage() {
  const { words, router } = useAccount();
  const outcome = useSignal<"asked" | "done" | "dead">("asked");
  const { link, reset, signIn } = words.value;
  const ticket = router.place.value.ticket;
  const again = { href: router.href("/forgot-password"), label: link.resetAgain };
  if (outcome.value === "done")
    return (
      <LeadOn
        title={reset.done.title}
        reason={reset.done.lead}
        way={{ href: router.href("/login"), label: signIn.submit }}
      />
    );
  if (ticket === undefined) return <BrokenLink way={again} />;
  if (outcome.value === "dead") return <LeadOn reason={ticket.isReject ? link.undo : link.reset} way={again} />;
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
  const { words, client } = useAccount();
  const { factors, fields, reset, titles } = words.value;
  const form = useForm({
    fields: [useNewPassword("new_password", fields.newPassword, owner)],
    async send(valueOf) {
      const keep = added.filter(({ id }) => valueOf(keepName(id)) !== "").map(({ id }) => id);
      const result = await client.confirmPasswordReset({ token, new_password: valueOf("new_password"), keep });
      if (result.ok) onEnd("done");
      else if (result.code === "invalid_reset_token" || result.fields?.["token"] !== undefined) onEnd("dead");
      return result;
    },
  });
  return (
    <Page title={titles["/reset-password"]}>
      <p class="soft">{isReject ? factors.undo : reset.lead}</p>
      <PageForm form={form} submit={reset.submit}>
        <NewPasswordField form={form} name="new_password" owner={owner} isFirst />
        {added.length > 0 && (
          <fieldset>
            <legend>{reset.added.title}</legend>
            <p>{reset.added.lead}</p>
            {added.map((each) => (
              <Check key={each.id} name={keepName(each.id)} label={reset.added.keep(addedInWords(each, reset.added))} />
            ))}
          </fieldset>
        )}
      </PageForm>
    </Page>
  );
}
