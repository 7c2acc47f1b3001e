/** @jsxImportSource #html */
import type { Invitation } from "../../auth/index.ts";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Form } from "../../http/pages/parts/form.tsx";
import { Empty, Facets, Pager, Table, withQuery } from "../../http/pages/parts/list.tsx";
import type { StaffContext } from "../frame/context.ts";
import { Ago, Moment } from "../frame/parts.tsx";
import { StaffPage } from "../frame/page.tsx";
import { Chosen, Tag } from "../people/parts.tsx";
import { InviteForm, type InviteFields } from "./invite.form.tsx";

export interface InvitationsPageProps {
  readonly context: StaffContext;
  readonly invitations: readonly Invitation[];
  readonly next: string | undefined;
  /** Whether the list includes invitations that are over. */
  readonly all: boolean;
  readonly isFirst: boolean;
  readonly fields: InviteFields;
  readonly errors?: Readonly<Record<string, string>>;
  readonly refusal?: string | undefined;
}

const listPath = (all: boolean, cursor?: string): string =>
  withQuery("/people/invitations", { all: all ? "1" : undefined, cursor });

interface RowProps {
  readonly context: StaffContext;
  readonly invitation: Invitation;
}

function stateOf({ context: { times, href }, invitation }: RowProps): Children {
  switch (invitation.state) {
    case "waiting":
      return ["waits until ", <Moment at={invitation.expiresAt} times={times} />];
    case "expired":
      return [<Tag tone="warning">expired</Tag>, " ", <Ago at={invitation.expiresAt} times={times} />];
    case "withdrawn":
      return <Tag>withdrawn</Tag>;
    case "void":
      return [<Tag tone="danger">void</Tag>, " whoever invited may no longer"];
    case "accepted":
      return [
        <Tag tone="good">accepted</Tag>,
        " ",
        <a href={href(`/people/${invitation.acceptedUserId ?? ""}`)}>the account</a>,
      ];
  }
}

const inviter = ({ invitedBy: { actor, name } }: Invitation): string =>
  actor === "operator" ? "an operator" : actor === "service" ? `service ${name ?? ""}` : (name ?? "staff");

/** The acts that an invitation still permits. */
const Acts = ({ context: { href, token, may, mayTo }, invitation }: RowProps) => {
  const { id, email, state, roles } = invitation;
  if (state === "accepted" || state === "withdrawn") return null;
  return (
    <div class="row-acts">
      {state !== "void" && mayTo("invitations.resend", roles) && (
        <Form action={href(`/people/invitations/${id}/resend`)} token={token}>
          <button aria-label={`Send again: the invitation of ${email}`}>Send again</button>
        </Form>
      )}
      {may("invitations.withdraw") && (
        <Form action={href(`/people/invitations/${id}/withdraw`)} token={token}>
          <button aria-label={`Withdraw: the invitation of ${email}`}>Withdraw</button>
        </Form>
      )}
    </div>
  );
};

/** Lists people who are invited and have no account yet, below the form for another invitation. */
export const InvitationsPage = (props: InvitationsPageProps) => {
  const { context, invitations, next, all, isFirst, fields, errors = {}, refusal } = props;
  const { href, times } = context;
  return (
    <StaffPage context={context} title="Invitations" at="/people">
      <p class="back">
        <a href={href("/people")}>People</a>
      </p>
      <h1 id="invitations">Invitations</h1>
      {context.may("invitations.invite") && (
        <InviteForm context={context} fields={fields} errors={errors} refusal={refusal} />
      )}
      <Facets
        write={context.count}
        label="Show"
        facets={[
          { label: "Open", href: href(listPath(false)), isCurrent: !all },
          { label: "With those that are over", href: href(listPath(true)), isCurrent: all },
        ]}
      />
      <Table
        labelledBy="invitations"
        columns={["Address", "Roles", "State", "Invited", "By"]}
        actions={context.words.frame.actions}
        rows={invitations.map((invitation) => [
          <span class="invited">
            <Chosen>{invitation.email}</Chosen>
          </span>,
          invitation.roles.join(", "),
          stateOf({ context, invitation }),
          <Ago at={invitation.invitedAt} times={times} />,
          <Chosen>{inviter(invitation)}</Chosen>,
          <Acts context={context} invitation={invitation} />,
        ])}
        empty={
          <Empty>
            {isFirst
              ? "No invitation is open. Invite somebody above, or with the command user:invite."
              : "There is none further on."}
          </Empty>
        }
      />
      <Pager
        words={context.words.frame}
        label="invitations"
        first={isFirst ? undefined : href(listPath(all))}
        next={next === undefined ? undefined : href(listPath(all, next))}
      />
    </StaffPage>
  );
};
