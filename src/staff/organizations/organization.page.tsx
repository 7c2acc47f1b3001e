/** @jsxImportSource #html */
import type { Domain, Member, OrganizationProvider } from "../../organization/index.ts";
import type { OrganizationInvitation } from "../../auth/index.ts";
import { Field, Form, Hidden } from "../../http/pages/parts/form.tsx";
import { Pairs, Table } from "../../http/pages/parts/list.tsx";
import { Ago, Moment } from "../frame/parts.tsx";
import { StaffPage } from "../frame/page.tsx";
import { Chosen, Tag } from "../people/parts.tsx";
import { Domains } from "./domains.section.tsx";
import { Events, type OrganizationEvents } from "./events.section.tsx";
import { Members } from "./members.section.tsx";
import { Ownership, type AboutOrganization, type TypedForm } from "./parts.tsx";
import { organizationsPath, pathOf } from "./paths.ts";

interface OrganizationProps extends AboutOrganization {
  readonly owners: readonly Member[];
  readonly members: { readonly page: readonly Member[]; readonly next: string | null; readonly isFirst: boolean };
  readonly invitations: readonly OrganizationInvitation[];
  readonly domains: readonly Domain[];
  readonly provider: OrganizationProvider | undefined;
  readonly events: OrganizationEvents;
  readonly typed: TypedForm | undefined;
}

interface OwnerlessProps extends AboutOrganization {
  readonly owners: readonly Member[];
  readonly typed: TypedForm | undefined;
}

/** Says that nobody can act as an owner, and gives it one. */
const Ownerless = ({ context: { href, token, may }, organization, owners, typed }: OwnerlessProps) => {
  const own = typed?.act === "owner" ? typed : undefined;
  return (
    <section class="card answer danger" aria-labelledby="ownerless">
      <h2 id="ownerless">Nobody can act as an owner</h2>
      <p>
        {owners.length === 1 ? "Its owner is disabled: " : "All its owners are disabled: "}
        {owners.map(({ userId, displayName }, at) => (
          <>
            {at > 0 && ", "}
            <a href={href(`/people/${userId}`)}>
              <Chosen>{displayName}</Chosen>
            </a>
          </>
        ))}
        . Nobody changes its slug, makes owners or deletes it until it has another one, or they are enabled again.
      </p>
      {may("organizations.change") && (
        <Form action={href(`${pathOf(organization.id)}/owner`)} token={token} class="fill">
          <Field
            name="login"
            id="new-owner"
            label="New owner"
            type="text"
            autocomplete="off"
            hint="An address, user name or id. A member becomes an owner besides; anybody else joins it as one"
            value={own?.login}
            error={own?.errors["login"]}
            maxLength={320}
          />
          <button class="primary">Make them an owner</button>
        </Form>
      )}
    </section>
  );
};

const Known = ({ context: { times }, organization }: AboutOrganization) => (
  <Pairs
    class="card pairs"
    pairs={[
      ["Slug", <code>{organization.slug}</code>],
      ["Members", organization.members.toLocaleString("en")],
      ["Owners", <Ownership organization={organization} />],
      ["Since", <Moment at={organization.createdAt} times={times} />],
      ["Id", <code>{organization.id}</code>],
    ]}
  />
);

const Acts = ({
  context: { href, token },
  organization,
  typed,
}: AboutOrganization & Pick<OrganizationProps, "typed">) => {
  const own = typed?.act === "add-member" ? typed : undefined;
  return (
    <section class="card" id="acts">
      <h2>What you can do</h2>
      <ul class="acts">
        <li>
          <h3>Add somebody</h3>
          <Form action={href(`${pathOf(organization.id)}/add-member`)} token={token} class="fill">
            <Field
              name="login"
              label="Account"
              type="text"
              autocomplete="off"
              hint="An address, user name or id"
              value={own?.login}
              error={own?.errors["login"]}
              maxLength={320}
            />
            <Field
              name="roles"
              label="Roles"
              type="text"
              autocomplete="off"
              hint="With commas between them; owner and admin may change it"
              value={own?.roles ?? "member"}
              error={own?.errors["roles"]}
              maxLength={600}
            />
            <button>Add</button>
          </Form>
          <p class="hint">They are in it at once. No mail tells them.</p>
        </li>
        <li>
          <a class="danger" href={href(`${pathOf(organization.id)}/delete`)}>
            Delete…
          </a>
          <p class="hint">For good. You are asked once more.</p>
        </li>
      </ul>
    </section>
  );
};

const Kept = ({ organization: { metadata } }: Pick<AboutOrganization, "organization">) =>
  metadata === null || metadata === "{}" ? (
    <></>
  ) : (
    <section>
      <h2>What apps keep</h2>
      <pre class="card kept">{JSON.stringify(JSON.parse(metadata), undefined, 2)}</pre>
    </section>
  );

const Waiting = ({
  context,
  organization,
  invitations,
}: AboutOrganization & Pick<OrganizationProps, "invitations">) => {
  const { href, token, times, may } = context;
  return (
    <section>
      <h2 id="waiting">Invitations that wait</h2>
      <Table
        labelledBy="waiting"
        columns={["Address", "Roles", "State", "Invited", "By"]}
        actions={context.words.frame.actions}
        rows={invitations.map(({ id, email, roles, state, invitedAt, expiresAt, invitedBy }) => [
          <span class="invited">
            <Chosen>{email}</Chosen>
          </span>,
          roles.join(", "),
          state === "waiting" ? (
            <>
              until <Moment at={expiresAt} times={times} />
            </>
          ) : (
            <Tag tone="warning">{state}</Tag>
          ),
          <Ago at={invitedAt} times={times} />,
          invitedBy === null ? <span class="soft">–</span> : <Chosen>{invitedBy}</Chosen>,
          may("organizations.change") && (
            <Form action={href(`${pathOf(organization.id)}/withdraw`)} token={token}>
              <Hidden fields={[["invitation", id]]} />
              <button aria-label={`Withdraw: the invitation of ${email}`}>Withdraw</button>
            </Form>
          ),
        ])}
        empty={<p class="soft">None.</p>}
      />
    </section>
  );
};

/** Has what a caller asks about an organization: who owns it, who is in it and as what, and what happened. */
export const OrganizationPage = (props: OrganizationProps) => {
  const { context, organization, owners, members, invitations, domains, provider, events, typed } = props;
  return (
    <StaffPage context={context} title={organization.name} at={organizationsPath}>
      <p class="back">
        <a href={context.href(organizationsPath)}>Organizations</a>
      </p>
      <div class="heading">
        <h1>
          <Chosen>{organization.name}</Chosen>
        </h1>
      </div>
      <div class="person">
        {organization.activeOwners === 0 && (
          <Ownerless context={context} organization={organization} owners={owners} typed={typed} />
        )}
        <div class="beside">
          <Known context={context} organization={organization} />
          {context.may("organizations.change") && <Acts context={context} organization={organization} typed={typed} />}
        </div>
        <div class="rest">
          <Members
            context={context}
            organization={organization}
            members={members.page}
            isFirst={members.isFirst}
            next={members.next}
          />
          <Waiting context={context} organization={organization} invitations={invitations} />
          <Domains context={context} organization={organization} domains={domains} provider={provider} />
          <Kept organization={organization} />
          <Events context={context} organization={organization} events={events} />
        </div>
      </div>
    </StaffPage>
  );
};
