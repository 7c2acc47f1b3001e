/** @jsxImportSource #html */
import type { Terms } from "../../account/shared/terms.ts";
import type { PageWays } from "../../auth/index.ts";
import {
  EntryForm,
  EntryPage,
  MessagePage,
  NewPasswordField,
  type PasswordLengths,
  TermsField,
  TypedField,
} from "../sign.in/parts.tsx";
import { mailTokenOf, type EntryView } from "../sign.in/view.ts";
import type { English, Spoken } from "../../words/index.ts";

export const invitationPath = "/accept-invitation";

type Invitation = Awaited<ReturnType<PageWays["showInvitation"]>>;

interface InvitationProps {
  readonly view: EntryView;
  readonly says: Spoken<English["invitation"]>;
  readonly invitation: Invitation;
}

interface AcceptProps extends InvitationProps {
  readonly passwordLengths: PasswordLengths;
  readonly terms: Terms;
}

const titleOf = ({ view, says, invitation: { organization } }: InvitationProps): string =>
  organization === null ? says.title({ product: view.frame.mark.product }) : says.to.title({ organization });

/** Makes the account of an invited person: with a name and a password. */
export const AcceptPage = (props: AcceptProps) => {
  const { view, says, invitation, passwordLengths, terms } = props;
  const { email, displayName, inviter, organization } = invitation;
  const { fields } = view.words;
  const { lead, leadBy, address, submit, to } = says;
  return (
    <EntryPage view={view} title={titleOf(props)}>
      <div>
        <p>{inviter === null ? lead : leadBy({ name: inviter })}</p>
        <p class="soft">{address({ email })}</p>
      </div>
      <EntryForm
        view={view}
        action={invitationPath}
        hidden={[["token", mailTokenOf(view)]]}
        submit={organization === null ? submit : to.submit}
        blamed={["terms_required"]}
      >
        <input
          class="unseen"
          type="text"
          value={email}
          autocomplete="username"
          tabindex={-1}
          aria-hidden="true"
          readonly
        />
        <TypedField
          view={view}
          name="display_name"
          label={fields.name}
          type="text"
          autocomplete="name"
          maxLength={200}
          suggested={displayName}
          autofocus={displayName === null}
          isOptional
        />
        <NewPasswordField
          view={view}
          name="password"
          label={fields.password}
          lengths={passwordLengths}
          autofocus={displayName !== null}
        />
        <TermsField view={view} terms={terms} />
      </EntryForm>
    </EntryPage>
  );
};

/** Accepts the invitation for the signed-in account, which has the invited address. */
export const JoinPage = (props: InvitationProps) => {
  const { view, says, invitation } = props;
  const { email, inviter, organization } = invitation;
  const [lead, leadBy, accept] =
    organization === null ? [says.ownLead, says.ownLeadBy, says.accept] : [says.to.own, says.to.ownBy, says.to.accept];
  return (
    <EntryPage view={view} title={titleOf(props)}>
      <div>
        <p>{inviter === null ? lead : leadBy({ name: inviter })}</p>
        <p class="soft">{says.own({ email })}</p>
      </div>
      <EntryForm view={view} action={invitationPath} hidden={[["token", mailTokenOf(view)]]} submit={accept} />
    </EntryPage>
  );
};

/** Asks for a sign-in where the address has an account by now: the link alone opens that account to nobody. */
export const SignInFirstPage = ({ view, says, invitation: { email } }: InvitationProps) => {
  const { forgot, signIn } = view.words;
  const { title, lead, otherwise } = says.other;
  const back = `${view.href(invitationPath)}?token=${encodeURIComponent(mailTokenOf(view))}`;
  return (
    <EntryPage view={view} title={title}>
      <p>{lead({ email })}</p>
      <p class="soft">{otherwise}</p>
      <a class="button primary" href={`${view.href("/login")}?reauthenticate=true&next=${encodeURIComponent(back)}`}>
        {signIn.submit}
      </a>
      <a class="button" href={view.href("/forgot-password")}>
        {forgot.sent.open}
      </a>
    </EntryPage>
  );
};

interface EndedProps {
  readonly view: EntryView;
  readonly said: { readonly title: string; readonly lead: string };
  readonly way: { readonly href: string; readonly label: string };
}

/** Says why there is nothing to accept, and leads on. */
export const EndedPage = ({ view, said: { title, lead }, way }: EndedProps) => (
  <MessagePage view={view} title={title} lines={[lead]} way={way} />
);
