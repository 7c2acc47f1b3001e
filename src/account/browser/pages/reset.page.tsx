import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Added, Failure } from "../../../client/index.ts";
import { addedInWords } from "../../shared/in.words.ts";
import { useAccount, useChapter } from "../context.ts";
import { useForm } from "../form.ts";
import { Skeleton } from "../parts/blocks.tsx";
import { Check, NewPasswordField, useNewPassword } from "../parts/fields.tsx";
import { PageForm } from "../parts/form.tsx";
import { BrokenLink, LeadOn, Page } from "../parts/page.tsx";
import type { Ticket } from "../router.ts";
import { LinkPage, useRedeeming } from "./link.page.tsx";
import { OwnProviderPage } from "./own.provider.page.tsx";

const keepName = (id: string): string => `keep.${id}`;

// The page does not know whose password it is. Only the server compares the password with the name and the address.
const owner = { username: "", email: "" };

interface Inspected {
  readonly sign_in: boolean;
  readonly added: readonly Added[];
  readonly has_password: boolean;
}
/** Where an organization demands its own provider, or the link is dead, there is nothing to choose. */
const endingOf = (failure: Failure): Ending | undefined => {
  if (failure.redirect !== undefined) return { start: failure.redirect };
  return isDead(failure) ? "dead" : undefined;
};
const isDead = ({ code, fields }: Failure): boolean =>
  code === "invalid_reset_token" || fields?.["token"] !== undefined;

type Ending = "changed" | "set" | "dead" | { readonly start: string };

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
  const isRejected = useSignal(false);
  const { link, signIn, titles } = words.value;
  const { reset } = useChapter("links");
  useEffect(() => {
    void client.inspectPasswordReset({ token: ticket.token }).then((result) => {
      if (result.ok) inspected.value = result;
      else ending.value = endingOf(result);
      // Where the request fails otherwise, changing the password fails as well, and says why.
      inspected.value ??= { sign_in: false, added: [], has_password: true };
    });
  }, []);
  const end = ending.value;
  if (typeof end === "object") return <OwnProviderPage start={end.start} />;
  if (end === "dead") return <LeadOn reason={ticket.isReject ? link.undo : link.reset} way={again} />;
  if (end !== undefined) {
    const { title, lead } = end === "set" ? reset.first.done : reset.done;
    return <LeadOn title={title} reason={lead} way={{ href: router.onward("/login"), label: signIn.submit }} />;
  }
  if (inspected.value === undefined)
    return (
      <Page key="looking" title={titles.resetPassword}>
        <Skeleton />
      </Page>
    );
  if (inspected.value.sign_in && !isRejected.value)
    return (
      <Rejecting
        ticket={ticket}
        onDead={() => void (ending.value = "dead")}
        onRejected={() => void (isRejected.value = true)}
      />
    );
  return <Choosing ticket={ticket} inspected={inspected.value} onEnd={(next) => void (ending.value = next)} />;
}

interface RejectingProps {
  readonly ticket: Ticket;
  readonly onDead: () => void;
  readonly onRejected: () => void;
}

/** Ends the session that the mail tells of. A program that opens the link for its reader presses no button. */
function Rejecting({ ticket: { token }, onDead, onRejected }: RejectingProps) {
  const { client } = useAccount();
  const { signIn } = useChapter("links").reset;
  const { send, ...progress } = useRedeeming(onDead);
  return (
    <LinkPage
      key="rejecting"
      kind="danger"
      title={signIn.title}
      lead={signIn.lead}
      submit={signIn.submit}
      progress={progress}
      onSubmit={() => void send(() => client.rejectSignIn({ token }), onRejected)}
    />
  );
}

interface ChoosingProps {
  readonly ticket: Ticket;
  readonly inspected: Inspected;
  readonly onEnd: (end: Ending) => void;
}

function Choosing({ ticket: { token, isReject }, inspected, onEnd }: ChoosingProps) {
  const { added, has_password: hasPassword } = inspected;
  const { words, client } = useAccount();
  const { factors, fields, titles } = words.value;
  const { reset } = useChapter("links");
  const isFirst = !hasPassword && !isReject;
  const { title, lead, submit } = isFirst ? reset.first : { ...reset, title: titles.resetPassword };
  const form = useForm({
    fields: [useNewPassword("new_password", isFirst ? fields.password : fields.newPassword, owner)],
    async send(valueOf) {
      const keep = added.filter(({ id }) => valueOf(keepName(id)) !== "").map(({ id }) => id);
      const result = await client.confirmPasswordReset({ token, new_password: valueOf("new_password"), keep });
      const end = result.ok ? (isFirst ? "set" : "changed") : endingOf(result);
      if (end !== undefined) onEnd(end);
      return result;
    },
  });
  return (
    <Page key="choosing" title={title}>
      <p class="soft">{inspected.sign_in ? reset.signIn.done : isReject ? factors.undo : lead}</p>
      <PageForm form={form} submit={submit}>
        <NewPasswordField form={form} name="new_password" owner={owner} isFirst />
        {added.length > 0 && (
          <fieldset>
            <legend>{reset.added.title}</legend>
            <p>{reset.added.lead}</p>
            {added.map((each) => (
              <Check
                key={each.id}
                name={keepName(each.id)}
                label={reset.added.keep({ what: addedInWords(each, reset.added) })}
              />
            ))}
          </fieldset>
        )}
      </PageForm>
    </Page>
  );
}
