/** @jsxImportSource #html */
import { readRoles, type Member } from "../../organization/index.ts";
import { Field, Form, Hidden } from "../../http/pages/parts/form.tsx";
import { Pager, Table } from "../../http/pages/parts/list.tsx";
import { withQuery } from "../../http/pages/parts/list.tsx";
import { Ago } from "../frame/parts.tsx";
import { Chosen, Tag } from "../people/parts.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { pathOf } from "./paths.ts";

interface MembersProps extends AboutOrganization {
  readonly members: readonly Member[];
  readonly isFirst: boolean;
  /** The cursor of the next page. */
  readonly next: string | null;
}

interface ChangeProps extends AboutOrganization {
  readonly member: Member;
}

/** What can be done to one member, unfolded on demand. */
const Change = ({ context: { href, token, words }, organization: { id }, member }: ChangeProps) => {
  const { members: say, facts } = words.organizations;
  return (
    <details class="more change">
      <summary>
        {say.change}
        <span class="unseen">: {member.username}</span>
      </summary>
      <Form action={href(`${pathOf(id)}/roles`)} token={token}>
        <Hidden fields={[["user", member.userId]]} />
        <Field
          name="roles"
          id={`roles-${member.userId}`}
          label={facts.roles}
          type="text"
          autocomplete="off"
          value={readRoles(member.roles).join(", ")}
          maxLength={600}
        />
        <button>{say.save}</button>
      </Form>
      <Form action={href(`${pathOf(id)}/remove-member`)} token={token}>
        <Hidden fields={[["user", member.userId]]} />
        <button class="danger">{say.remove}</button>
      </Form>
    </details>
  );
};

/** Who is in an organization. */
export const Members = ({ context, organization, members, isFirst, next }: MembersProps) => {
  const { href, times } = context;
  const { members: words, facts } = context.words.organizations;
  const path = pathOf(organization.id);
  return (
    <section>
      <h2 id="members">
        {words.title} <span class="count">{context.count(organization.members)}</span>
      </h2>
      <Table
        labelledBy="members"
        columns={[facts.name, facts.address, facts.roles, facts.since]}
        actions={context.words.frame.actions}
        rows={members.map((member) => [
          <>
            <a class="somebody" href={href(`/people/${member.userId}`)} title={member.displayName}>
              <Chosen>{member.displayName}</Chosen>
            </a>
            {member.userActive === 0 && [" ", <Tag tone="danger">{words.disabled}</Tag>]}
          </>,
          <Chosen>{member.email}</Chosen>,
          readRoles(member.roles).join(", "),
          <Ago at={member.joinedAt} times={times} />,
          context.may("organizations.change") && (
            <Change context={context} organization={organization} member={member} />
          ),
        ])}
        empty={<p class="soft">{words.end}</p>}
      />
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={isFirst ? undefined : href(`${path}#members`)}
        next={next === null ? undefined : href(`${withQuery(path, { members: next })}#members`)}
      />
    </section>
  );
};
