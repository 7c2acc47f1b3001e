/** @jsxImportSource #html */
import type { Person } from "../../auth/index.ts";
import type { StaffContext } from "../frame/context.ts";
import { Moment } from "../frame/moment.tsx";
import { StaffPage } from "../frame/page.tsx";
import { ActsSection } from "./sections/acts.section.tsx";
import { Answer } from "./sections/answer.section.tsx";
import { Events, type EventsPage } from "./sections/events.section.tsx";
import { Identities } from "./sections/identities.section.tsx";
import { Inspects, type InspectsOfPerson } from "./sections/inspects.section.tsx";
import { Mails } from "./sections/mails.section.tsx";
import { Chosen, Tag } from "./parts.tsx";
import { Sessions } from "./sections/sessions.section.tsx";

export interface PersonProps {
  readonly context: StaffContext;
  readonly person: Person;
  readonly events: EventsPage;
  /** Undefined where nothing is recorded. */
  readonly inspects: InspectsOfPerson | undefined;
  /** Returns the name of a provider for people. */
  readonly providerName: (provider: string) => string;
}

const Pairs = ({ context: { times }, person }: Pick<PersonProps, "context" | "person">) => (
  <dl class="card pairs">
    <div>
      <dt>Address</dt>
      <dd>
        <Chosen>{person.email}</Chosen> {person.emailVerified ? <Tag tone="good">proven</Tag> : <Tag>not proven</Tag>}
      </dd>
    </div>
    {person.pendingEmail !== null && (
      <div>
        <dt>New address</dt>
        <dd>
          <Chosen>{person.pendingEmail}</Chosen> <Tag tone="warning">not confirmed</Tag>
        </dd>
      </div>
    )}
    <div>
      <dt>User name</dt>
      <dd>
        <Chosen>{person.username}</Chosen>
      </dd>
    </div>
    <div>
      <dt>Since</dt>
      <dd>
        <Moment at={person.createdAt} times={times} />
      </dd>
    </div>
    <div>
      <dt>Id</dt>
      <dd>
        <code>{person.id}</code>
      </dd>
    </div>
  </dl>
);

/**
 * Has the answers for a phone call: who the person is, whether they get in, otherwise why not and until when, which acts help, and what
 * happened.
 */
export const PersonPage = ({ context, person, events, inspects, providerName }: PersonProps) => (
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
        <Pairs context={context} person={person} />
        <ActsSection context={context} person={person} />
      </div>
      <div class="rest">
        <Sessions context={context} person={person} />
        <Identities context={context} person={person} providerName={providerName} />
        <Mails context={context} person={person} />
        <Events context={context} id={person.id} events={events} />
        <Inspects context={context} userId={person.id} found={inspects} />
      </div>
    </div>
  </StaffPage>
);
