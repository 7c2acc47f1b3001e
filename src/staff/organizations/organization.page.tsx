/** @jsxImportSource #html */
import type { Domain, Member, OrganizationProvider } from "../../organization/index.ts";
import type { OrganizationInvitation } from "../../auth/index.ts";
import { around } from "../../words/index.ts";
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

/** Names people within a sentence, each with a link to their page. */
const Named = ({
  context: { href, speech },
  people,
}: Pick<OwnerlessProps, "context"> & { readonly people: readonly Member[] }) => {
  const links = people.map(({ userId, displayName }) => (
    <a href={href(`/people/${userId}`)}>
      <Chosen>{displayName}</Chosen>
    </a>
  ));
  const places = people.map((_person, at) => String(at));
  return (
    <>
      {new Intl.ListFormat(speech.language)
        .formatToParts(places)
        .map(({ type, value }) => (type === "element" ? links[Number(value)] : value))}
    </>
  );
};

/** Says that nobody can act as an owner, and gives it one. */
const Ownerless = ({ context, organization, owners, typed }: OwnerlessProps) => {
  const { href, token, may } = context;
  const words = context.words.organizations.ownerless;
  const lead = (values: { readonly owners: string }): string => words.lead({ count: owners.length, ...values });
  const own = typed?.act === "owner" ? typed : undefined;
  return (
    <section class="card answer danger" aria-labelledby="ownerless">
      <h2 id="ownerless">{words.title}</h2>
      <p>{around(lead, { owners: <Named context={context} people={owners} /> })}</p>
      {may("organizations.change") && (
        <Form action={href(`${pathOf(organization.id)}/owner`)} token={token} class="fill">
          <Field
            name="login"
            id="new-owner"
            label={words.owner}
            type="text"
            autocomplete="off"
            hint={words.ownerHint}
            value={own?.login}
            error={own?.errors["login"]}
            maxLength={320}
          />
          <button class="primary">{words.submit}</button>
        </Form>
      )}
    </section>
  );
};

const Known = ({ context, organization }: AboutOrganization) => {
  const { facts } = context.words.organizations;
  return (
    <Pairs
      class="card pairs"
      pairs={[
        [facts.slug, <code>{organization.slug}</code>],
        [facts.members, context.count(organization.members)],
        [facts.owners, <Ownership context={context} organization={organization} />],
        [facts.since, <Moment at={organization.createdAt} times={context.times} />],
        [facts.id, <code>{organization.id}</code>],
      ]}
    />
  );
};

const Acts = ({
  context: { href, token, words: all },
  organization,
  typed,
}: AboutOrganization & Pick<OrganizationProps, "typed">) => {
  const { acts: words, facts } = all.organizations;
  const own = typed?.act === "add-member" ? typed : undefined;
  return (
    <section class="card" id="acts">
      <h2>{words.title}</h2>
      <ul class="acts">
        <li>
          <h3>{words.add}</h3>
          <Form action={href(`${pathOf(organization.id)}/add-member`)} token={token} class="fill">
            <Field
              name="login"
              label={words.account}
              type="text"
              autocomplete="off"
              hint={words.accountHint}
              value={own?.login}
              error={own?.errors["login"]}
              maxLength={320}
            />
            <Field
              name="roles"
              label={facts.roles}
              type="text"
              autocomplete="off"
              hint={words.rolesHint}
              value={own?.roles ?? "member"}
              error={own?.errors["roles"]}
              maxLength={600}
            />
            <button>{words.submit}</button>
          </Form>
          <p class="hint">{words.silent}</p>
        </li>
        <li>
          <a class="danger" href={href(`${pathOf(organization.id)}/delete`)}>
            {words.delete}
          </a>
          <p class="hint">{words.deleteHint}</p>
        </li>
      </ul>
    </section>
  );
};

const Kept = ({ context, organization: { metadata } }: AboutOrganization) =>
  metadata === null || metadata === "{}" ? (
    <></>
  ) : (
    <section>
      <h2>{context.words.organizations.kept}</h2>
      <pre class="card kept">{JSON.stringify(JSON.parse(metadata), undefined, 2)}</pre>
    </section>
  );

const Waiting = ({
  context,
  organization,
  invitations,
}: AboutOrganization & Pick<OrganizationProps, "invitations">) => {
  const { href, token, times, may } = context;
  const { waiting: words, facts, none } = context.words.organizations;
  return (
    <section>
      <h2 id="waiting">{words.title}</h2>
      <Table
        labelledBy="waiting"
        columns={[facts.address, facts.roles, facts.state, facts.invited, facts.by]}
        actions={context.words.frame.actions}
        rows={invitations.map(({ id, email, roles, state, invitedAt, expiresAt, invitedBy }) => [
          <span class="invited">
            <Chosen>{email}</Chosen>
          </span>,
          roles.join(", "),
          state === "waiting" ? (
            <>{around(words.until, { moment: <Moment at={expiresAt} times={times} /> })}</>
          ) : (
            <Tag tone="warning">{words[state]}</Tag>
          ),
          <Ago at={invitedAt} times={times} />,
          invitedBy === null ? <span class="soft">–</span> : <Chosen>{invitedBy}</Chosen>,
          may("organizations.change") && (
            <Form action={href(`${pathOf(organization.id)}/withdraw`)} token={token}>
              <Hidden fields={[["invitation", id]]} />
              <button aria-label={words.withdrawOf({ email })}>{words.withdraw}</button>
            </Form>
          ),
        ])}
        empty={<p class="soft">{none}</p>}
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
        <a href={context.href(organizationsPath)}>{context.words.organizations.title}</a>
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
          <Kept context={context} organization={organization} />
          <Events context={context} organization={organization} events={events} />
        </div>
      </div>
    </StaffPage>
  );
};
