/** @jsxImportSource #html */
import { Pairs } from "../../http/pages/parts/list.tsx";
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

const Known = ({ context: { times }, person }: AboutPerson) => (
  <Pairs
    class="card pairs"
    pairs={[
      [
        "Address",
        <>
          <Chosen>{person.email}</Chosen> {person.emailVerified ? <Tag tone="good">proven</Tag> : <Tag>not proven</Tag>}
        </>,
      ],
      [
        "New address",
        person.pendingEmail && (
          <>
            <Chosen>{person.pendingEmail}</Chosen> <Tag tone="warning">not confirmed</Tag>
          </>
        ),
      ],
      ["User name", <Chosen>{person.username}</Chosen>],
      ["Since", <Moment at={person.createdAt} times={times} />],
      ["Id", <code>{person.id}</code>],
      [
        "Terms",
        person.termsVersion !== null && person.termsAcceptedAt !== null && (
          <>
            <Chosen>{person.termsVersion}</Chosen>, accepted <Moment at={person.termsAcceptedAt} times={times} />
          </>
        ),
      ],
      ["External id", person.externalId && <Chosen>{person.externalId}</Chosen>],
    ]}
  />
);

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
      <a href={context.href("/people")}>People</a>
    </p>
    <div class="heading">
      <h1>
        <Chosen>{person.displayName}</Chosen>
      </h1>
      {person.id === context.viewer.session.userId && <Tag>you</Tag>}
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
