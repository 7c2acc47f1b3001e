/** @jsxImportSource #html */
import { Hidden } from "../../http/pages/form.tsx";
import type { EntryView } from "./view.ts";
import { EntryForm, EntryPage, Refusal } from "./parts.tsx";

interface Way {
  readonly href: string;
  readonly label: string;
}

/** The page for a mailed link that no longer works. */
export const DeadLinkPage = ({
  view,
  reason,
  way,
}: {
  readonly view: EntryView;
  readonly reason: string;
  readonly way: Way;
}) => (
  <EntryPage view={view} title={view.words.link.title}>
    <p>{reason}</p>
    <a class="button" href={way.href}>
      {way.label}
    </a>
  </EntryPage>
);

/** The page for a mailed link whose end was lost on the way. */
export const BrokenLinkPage = ({ view, way }: { readonly view: EntryView; readonly way: Way }) => (
  <EntryPage view={view} title={view.words.link.incompleteTitle}>
    <p>{view.words.link.incomplete}</p>
    <a class="button" href={way.href}>
      {way.label}
    </a>
  </EntryPage>
);

interface LinkProps {
  readonly view: EntryView;
  readonly mailToken: string;
}

/** Confirms an address by the link of a mail. The confirmation takes a click, because mail filters open links. */
export const VerifyPage = ({ view, mailToken }: LinkProps) => {
  const { verify, titles } = view.words;
  return (
    <EntryPage view={view} title={titles["/verify-email"]}>
      <p>{verify.lead}</p>
      <Refusal view={view} />
      <EntryForm view={view} action="/verify-email">
        <Hidden fields={[["token", mailToken]]} />
        <button class="primary">{verify.submit}</button>
      </EntryForm>
      <a class="button" href={`${view.href("/verify-email")}?token=${encodeURIComponent(mailToken)}&reject=1`}>
        {verify.reject}
      </a>
    </EntryPage>
  );
};

/** Says "this was not me": the reader did not give the address that the mail was sent to. */
export const RejectPage = ({ view, mailToken }: LinkProps) => {
  const { verify } = view.words;
  return (
    <EntryPage view={view} title={verify.rejectTitle}>
      <p>{verify.rejectLead}</p>
      <Refusal view={view} />
      <EntryForm view={view} action="/verify-email">
        <Hidden
          fields={[
            ["token", mailToken],
            ["reject", "1"],
          ]}
        />
        <button class="danger">{verify.rejectSubmit}</button>
      </EntryForm>
      <a class="button" href={`${view.href("/verify-email")}?token=${encodeURIComponent(mailToken)}`}>
        {verify.itWasMe}
      </a>
    </EntryPage>
  );
};

export const VerifiedPage = ({ view, email }: { readonly view: EntryView; readonly email: string }) => {
  const { title, lead, goOn } = view.words.verify.done;
  return (
    <EntryPage view={view} title={title}>
      <p>{lead(email)}</p>
      <a class="button primary" href={view.href("/")}>
        {goOn}
      </a>
    </EntryPage>
  );
};

export const RejectedPage = ({ view }: { readonly view: EntryView }) => (
  <EntryPage view={view} title={view.words.verify.rejected.title}>
    <p>{view.words.verify.rejected.lead}</p>
  </EntryPage>
);

/** Undoes a change of the address, by the link that the old mailbox got. */
export const UndoPage = ({ view, mailToken }: LinkProps) => {
  const { undo, titles } = view.words;
  return (
    <EntryPage view={view} title={titles["/undo-email-change"]}>
      <p>{undo.lead}</p>
      <Refusal view={view} />
      <EntryForm view={view} action="/undo-email-change">
        <Hidden fields={[["token", mailToken]]} />
        <button class="primary">{undo.submit}</button>
      </EntryForm>
    </EntryPage>
  );
};

export const UndonePage = ({ view }: { readonly view: EntryView }) => (
  <EntryPage view={view} title={view.words.undo.done.title}>
    <p>{view.words.undo.done.lead}</p>
  </EntryPage>
);
