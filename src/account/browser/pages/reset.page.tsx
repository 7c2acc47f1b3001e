import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Added, Failure } from "../../../client/index.ts";
import { addedInWords } from "../../shared/in.words.ts";
import { useAccount } from "../context.ts";
import { useForm } from "../form.ts";
import { Skeleton } from "../parts/blocks.tsx";
import { Check, NewPasswordField, useNewPassword } from "../parts/fields.tsx";
import { PageForm } from "../parts/form.tsx";
import { BrokenLink, LeadOn, Page } from "../parts/page.tsx";
import type { Ticket } from "../router.ts";

const keepName = (id: string): string => `keep.${id}`;

// The page does not know whose password it is. Only the server compares the password with the name and the address.
const owner = { username: "", email: "" };

interface Inspected {
  readonly added: readonly Added[];
  readonly has_password: boolean;
}
const isDead = ({ code, fields }: Failure): boolean =>
  code === "invalid_reset_token" || fields?.["token"] !== undefined;

type Ending = "changed" | "set" | "dead";

/**
 * Sets a new password by the link of a reset mail, by the link of a mail about a second factor that somebody else has set up, or by the one
 * for a first password.
 */
export function ResetPage() {
  const { words, router } = useAccount();
  const { link } = words.value;
  const ticket = router.place.value.ticket;
  const again = { href: router.onward("/forgot-password"), label: link.resetAgain };
  return ticket === undefined ? <BrokenLink way={again} /> : <Resetting ticket={ticket} again={again} />;
}

interface ResettingProps {
  readonly ticket: Ticket;
  readonly again: { readonly href: string; readonly label: string };
}

function Resetting({ ticket, again }: ResettingProps) {
  const { words, router, client } = useAccount();
  const inspected = useSignal<Inspected | undefined>(undefined);
  const ending = useSignal<Ending | undefined>(undefined);
  const { link, reset, signIn, titles } = words.value;
  useEffect(() => {
    void client.inspectPasswordReset({ token: ticket.token }).then((result) => {
      if (result.ok) inspected.value = result;
      else if (isDead(result)) ending.value = "dead";
      // Where the request fails otherwise, changing the password fails as well, and says why.
      else inspected.value = { added: [], has_password: true };
    });
  }, []);
  switch (ending.value) {
    case undefined:
      break;
    case "dead":
      return <LeadOn reason={ticket.isReject ? link.undo : link.reset} way={again} />;
    default: {
      const { title, lead } = ending.value === "set" ? reset.first.done : reset.done;
      return <LeadOn title={title} reason={lead} way={{ href: router.onward("/login"), label: signIn.submit }} />;
    }
  }
  if (inspected.value === undefined)
    return (
      <Page key="looking" title={titles["/reset-password"]}>
        <Skeleton />
      </Page>
    );
  return <Choosing ticket={ticket} inspected={inspected.value} onEnd={(end) => void (ending.value = end)} />;
}

interface ChoosingProps {
  readonly ticket: Ticket;
  readonly inspected: Inspected;
  readonly onEnd: (end: Ending) => void;
}

function Choosing({ ticket: { token, isReject }, inspected, onEnd }: ChoosingProps) {
  const { added, has_password: hasPassword } = inspected;
  const { words, client } = useAccount();
  const { factors, fields, reset, titles } = words.value;
  const isFirst = !hasPassword && !isReject;
  const { title, lead, submit } = isFirst ? reset.first : { ...reset, title: titles["/reset-password"] };
  const form = useForm({
    fields: [useNewPassword("new_password", isFirst ? fields.password : fields.newPassword, owner)],
    async send(valueOf) {
      const keep = added.filter(({ id }) => valueOf(keepName(id)) !== "").map(({ id }) => id);
      const result = await client.confirmPasswordReset({ token, new_password: valueOf("new_password"), keep });
      if (result.ok) onEnd(isFirst ? "set" : "changed");
      else if (isDead(result)) onEnd("dead");
      return result;
    },
  });
  return (
    <Page key="choosing" title={title}>
      <p class="soft">{isReject ? factors.undo : lead}</p>
      <PageForm form={form} submit={submit}>
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
