/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { EntryView } from "./view.ts";
import { EntryForm, EntryPage, MessagePage } from "./parts.tsx";

interface DeadLinkProps {
  readonly view: EntryView;
  readonly reason: string;
  readonly way: { readonly href: string; readonly label: string };
}

/** A mailed link that is of no use any more. */
export const DeadLinkPage = ({ view, reason, way }: DeadLinkProps) => (
  <MessagePage view={view} title={view.words.link.title} lines={[reason]} way={way} />
);

/** A mailed link whose end was lost on the way. */
export const BrokenLinkPage = ({ view, way }: Omit<DeadLinkProps, "reason">) => (
  <MessagePage view={view} title={view.words.link.incompleteTitle} lines={[view.words.link.incomplete]} way={way} />
);

interface LinkProps {
  readonly view: EntryView;
  readonly mailToken: string;
}

interface LinkPageProps extends LinkProps {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly submit: string;
  /** Says that somebody did not give the address. */
  readonly isReject?: boolean;
  readonly children?: Children;
}

/** Does what the link of a mail is for, once it is asked to. What has not been clicked has not happened: mail filters open links. */
const LinkPage = ({ view, mailToken, title, lead, action, submit, isReject = false, children }: LinkPageProps) => (
  <EntryPage view={view} title={title}>
    <p>{lead}</p>
    <EntryForm
      view={view}
      action={action}
      hidden={[["token", mailToken], ...(isReject ? [["reject", "1"] as const] : [])]}
      submit={submit}
      kind={isReject ? "danger" : "primary"}
    />
    {children}
  </EntryPage>
);

/** Shows that an address is somebody's. */
export const VerifyPage = ({ view, mailToken }: LinkProps) => {
  const { titles } = view.words;
  const { verify } = view.ownWords;
  const { lead, submit, reject } = verify;
  const path = "/verify-email";
  return (
    <LinkPage {...{ view, mailToken, lead, submit }} title={titles.verifyEmail} action={path}>
      <a class="button" href={`${view.href(path)}?token=${encodeURIComponent(mailToken)}&reject=1`}>
        {reject}
      </a>
    </LinkPage>
  );
};

/** For somebody who did not give the address. */
export const RejectPage = ({ view, mailToken }: LinkProps) => {
  const { rejectTitle, rejectLead, rejectSubmit, itWasMe } = view.ownWords.verify;
  const path = "/verify-email";
  return (
    <LinkPage
      {...{ view, mailToken }}
      title={rejectTitle}
      lead={rejectLead}
      action={path}
      submit={rejectSubmit}
      isReject
    >
      <a class="button" href={`${view.href(path)}?token=${encodeURIComponent(mailToken)}`}>
        {itWasMe}
      </a>
    </LinkPage>
  );
};

/** Ends the session that a mail tells of. */
export const RejectSignInPage = ({ view, mailToken }: LinkProps) => (
  <LinkPage {...{ view, mailToken }} {...view.ownWords.reset.signIn} action="/reset-password" isReject />
);

export const VerifiedPage = ({ view, email }: { readonly view: EntryView; readonly email: string }) => {
  const { title, lead, goOn } = view.ownWords.verify.done;
  const way = { href: view.href("/"), label: goOn, isPrimary: true };
  return <MessagePage view={view} title={title} lines={[lead({ email })]} way={way} />;
};

/** Undoes a change of the address, by the link that the old mailbox got. */
export const UndoPage = ({ view, mailToken }: LinkProps) => {
  const { titles } = view.words;
  const { undo } = view.ownWords;
  const { lead, submit } = undo;
  const path = "/undo-email-change";
  return <LinkPage {...{ view, mailToken, lead, submit }} title={titles.undoEmailChange} action={path} />;
};

/** Says that there is nothing else to do. */
export const DonePage = ({
  view,
  said,
}: {
  readonly view: EntryView;
  readonly said: { title: string; lead: string };
}) => <MessagePage view={view} title={said.title} lines={[said.lead]} />;
