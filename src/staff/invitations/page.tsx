/** @jsxImportSource #html */
import type { Invitation } from "../../auth/index.ts";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Form } from "../../http/pages/parts/form.tsx";
import { Empty, Facets, Pager, Table, withQuery } from "../../http/pages/parts/list.tsx";
import { around } from "../../words/index.ts";
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

function stateOf({ context: { times, href, words }, invitation }: RowProps): Children {
  const { states } = words.invitations;
  switch (invitation.state) {
    case "waiting":
      return <>{around(states.waiting, { moment: <Moment at={invitation.expiresAt} times={times} /> })}</>;
    case "expired":
      return [<Tag tone="warning">{states.expired}</Tag>, " ", <Ago at={invitation.expiresAt} times={times} />];
    case "withdrawn":
      return <Tag>{states.withdrawn}</Tag>;
    case "void":
      return [<Tag tone="danger">{states.void}</Tag>, ` ${states.voidMeans}`];
    case "accepted":
      return [
        <Tag tone="good">{states.accepted}</Tag>,
        " ",
        <a href={href(`/people/${invitation.acceptedUserId ?? ""}`)}>{states.account}</a>,
      ];
  }
}

function inviter({ context: { words }, invitation: { invitedBy } }: RowProps): string {
  const { operator, service, staff } = words.invitations.inviters;
  if (invitedBy.actor === "operator") return operator;
  return invitedBy.actor === "service" ? service({ name: invitedBy.name }) : (invitedBy.name ?? staff);
}

/** The acts that an invitation still permits. */
const Acts = ({ context: { href, token, may, mayTo, words }, invitation }: RowProps) => {
  const { resend, resendOf, withdraw, withdrawOf } = words.invitations;
  const { id, email, state, roles } = invitation;
  if (state === "accepted" || state === "withdrawn") return null;
  return (
    <div class="row-acts">
      {state !== "void" && mayTo("invitations.resend", roles) && (
        <Form action={href(`/people/invitations/${id}/resend`)} token={token}>
          <button aria-label={resendOf({ email })}>{resend}</button>
        </Form>
      )}
      {may("invitations.withdraw") && (
        <Form action={href(`/people/invitations/${id}/withdraw`)} token={token}>
          <button aria-label={withdrawOf({ email })}>{withdraw}</button>
        </Form>
      )}
    </div>
  );
};

/** Lists people who are invited and have no account yet, below the form for another invitation. */
export const InvitationsPage = (props: InvitationsPageProps) => {
  const { context, invitations, next, all, isFirst, fields, errors = {}, refusal } = props;
  const { href, times } = context;
  const words = context.words.invitations;
  return (
    <StaffPage context={context} title={words.title} at="/people">
      <p class="back">
        <a href={href("/people")}>{context.words.people.title}</a>
      </p>
      <h1 id="invitations">{words.title}</h1>
      {context.may("invitations.invite") && (
        <InviteForm context={context} fields={fields} errors={errors} refusal={refusal} />
      )}
      <Facets
        write={context.count}
        label={words.show}
        facets={[
          { label: words.open, href: href(listPath(false)), isCurrent: !all },
          { label: words.all, href: href(listPath(true)), isCurrent: all },
        ]}
      />
      <Table
        labelledBy="invitations"
        columns={Object.values(words.columns)}
        actions={context.words.frame.actions}
        rows={invitations.map((invitation) => [
          <span class="invited">
            <Chosen>{invitation.email}</Chosen>
          </span>,
          invitation.roles.join(", "),
          stateOf({ context, invitation }),
          <Ago at={invitation.invitedAt} times={times} />,
          <Chosen>{inviter({ context, invitation })}</Chosen>,
          <Acts context={context} invitation={invitation} />,
        ])}
        empty={<Empty>{isFirst ? around(words.none, { command: <code>user:invite</code> }) : words.noneFurther}</Empty>}
      />
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={isFirst ? undefined : href(listPath(all))}
        next={next === undefined ? undefined : href(listPath(all, next))}
      />
    </StaffPage>
  );
};
