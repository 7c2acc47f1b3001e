/** @jsxImportSource #html */
import { Pairs } from "../../http/pages/parts/list.tsx";
import { around } from "../../words/index.ts";
import { Moment } from "../frame/parts.tsx";
import { StaffPage } from "../frame/page.tsx";
import { ActsSection, type Impersonation } from "./sections/acts.section.tsx";
import { Answer } from "./sections/answer.section.tsx";
import { Events, type EventsPage } from "./sections/events.section.tsx";
import { Identities } from "./sections/identities.section.tsx";
import { Inspects, type InspectsOfPerson } from "./sections/inspects.section.tsx";
import { KeptByApps } from "./sections/kept.section.tsx";
import { Organizations } from "./sections/organizations.section.tsx";
import { Mails } from "./sections/mails.section.tsx";
import { Chosen, Tag, type AboutPerson } from "./parts.tsx";
import { Sessions } from "./sections/sessions.section.tsx";

interface PersonProps extends AboutPerson {
  readonly events: EventsPage;
  /** Undefined where nothing is recorded. */
  readonly inspects: InspectsOfPerson | undefined;
  /** Returns the name of a provider for people. */
  readonly providerName: (provider: string) => string;
  readonly impersonation: Impersonation;
  readonly showsOrganizations: boolean;
}

function Known({ context: { times, words }, person }: AboutPerson) {
  const { facts } = words.people;
  const { email, emailVerified, pendingEmail, username, createdAt, id, externalId } = person;
  const { termsVersion, termsAcceptedAt } = person;
  return (
    <Pairs
      class="card pairs"
      pairs={[
        [
          facts.address,
          <>
            <Chosen>{email}</Chosen>{" "}
            {emailVerified ? <Tag tone="good">{facts.proven}</Tag> : <Tag>{facts.notProven}</Tag>}
          </>,
        ],
        [
          facts.newAddress,
          pendingEmail && (
            <>
              <Chosen>{pendingEmail}</Chosen> <Tag tone="warning">{facts.notConfirmed}</Tag>
            </>
          ),
        ],
        [facts.username, <Chosen>{username}</Chosen>],
        [facts.since, <Moment at={createdAt} times={times} />],
        [facts.id, <code>{id}</code>],
        [
          facts.terms,
          termsVersion !== null && termsAcceptedAt !== null && (
            <>
              {around(facts.accepted, {
                version: <Chosen>{termsVersion}</Chosen>,
                moment: <Moment at={termsAcceptedAt} times={times} />,
              })}
            </>
          ),
        ],
        [facts.externalId, externalId && <Chosen>{externalId}</Chosen>],
      ]}
    />
  );
}

/**
 * Has the answers for a phone call: who the person is, whether they get in, otherwise why not and until when, which acts help, and what
 * happened.
 */
export const PersonPage = ({
  context,
  person,
  events,
  inspects,
  providerName,
  impersonation,
  showsOrganizations,
}: PersonProps) => (
  <StaffPage context={context} title={person.displayName} at="/people">
    <p class="back">
      <a href={context.href("/people")}>{context.words.people.title}</a>
    </p>
    <div class="heading">
      <h1>
        <Chosen>{person.displayName}</Chosen>
      </h1>
      {person.id === context.viewer.session.userId && <Tag>{context.words.people.facts.you}</Tag>}
    </div>
    <div class="person">
      <Answer context={context} person={person} providerName={providerName} />
      <div class="beside">
        <Known context={context} person={person} />
        <ActsSection context={context} person={person} impersonation={impersonation} />
      </div>
      <div class="rest">
        <Sessions context={context} person={person} />
        <Identities context={context} person={person} providerName={providerName} />
        {showsOrganizations && <Organizations context={context} person={person} />}
        <KeptByApps context={context} person={person} />
        <Mails context={context} person={person} />
        <Events context={context} id={person.id} events={events} />
        <Inspects context={context} userId={person.id} found={inspects} />
      </div>
    </div>
  </StaffPage>
);
