import type { App } from "../../../app/index.ts";
import { presentIdentity, presentPerson, presentSession } from "../../../app/presented.ts";
import { timestamp } from "../../../core/clock.ts";
import { providerOfOrganization } from "../../../core/people/providers.ts";
import { hindranceInWords, inEnglish, troubleInWords } from "../../../words/standing.ts";
import { byWhom, eventColumns, namesIn } from "../../audit.columns.ts";
import { defaultWidth, harmless, moment, table, wrapped, type Column } from "../../terminal/columns.ts";
import { command } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { login } from "../../usage/login.option.ts";
import { withApp } from "../../app/with.app.ts";

type Person = Awaited<ReturnType<App["people"]["show"]>>;

const eventsShown = 20;

export const show = command({
  args: { login, json: jsonObject },
  async run(context, args) {
    return withApp(context, async ({ people, namesOf }) => {
      const person = await people.show(args.login);
      if (args.json === true) return jsonLine(present(person));
      const nameOf = await namesIn(
        person.events.map(({ actorUserId }) => actorUserId),
        namesOf,
      );
      return inWords(person, nameOf, context.terminal.columns ?? defaultWidth);
    });
  },
});

const presentMail = ({ kind, state, at, attempts, reason, answer }: Person["mails"][number]) => ({
  kind,
  state,
  at: timestamp(at),
  attempts,
  reason,
  answer,
});

const presentEvent = (event: Person["events"][number]) => ({
  id: event.id,
  at: timestamp(event.at),
  action: event.action,
  outcome: event.outcome,
  reason: event.reason,
  actor: event.actor,
  operator: event.operator,
  actor_user_id: event.actorUserId,
  service: event.service,
  session_id: event.sessionId,
  address: event.address,
  user_agent: event.userAgent,
  count: event.count,
});

/** The API's view of an account, with further details for the operator. */
const present = (person: Person) => ({
  ...presentPerson(person),
  email_verified_at: timestamp(person.emailVerifiedAt),
  sessions: person.sessions.map((session) => ({ ...presentSession(session), live: session.isLive })),
  identities: person.identities.map((identity) => ({ ...presentIdentity(identity), subject: identity.subject })),
  mails: person.mails.map(presentMail),
  events: person.events.map(presentEvent),
});

const optional = (at: number | null): string => (at === null ? "never" : moment(at));

const factorsInWords = ({ factors, recoveryCodesLeft }: Person): string =>
  factors.length === 0 ? "none" : `${factors.map(factorInWords).join(", ")}; recovery codes left: ${recoveryCodesLeft}`;

const factorInWords = ({ method, name, addedAt, lastUsedAt }: Person["factors"][number]): string => {
  const what = method === "totp" ? "authenticator app" : `passkey ${name}`;
  return `${what} since ${moment(addedAt)}, last used ${lastUsedAt === null ? "never" : moment(lastUsedAt)}`;
};

const facts = (person: Person): readonly (readonly [name: string, value: string])[] => [
  ["id", person.id],
  ...(person.externalId === null ? [] : [["external id", person.externalId] as const]),
  ["name", person.username],
  ["display name", person.displayName],
  [
    "address",
    `${person.email}, ${person.emailVerifiedAt === null ? "not proven" : `proven ${moment(person.emailVerifiedAt)}`}`,
  ],
  ...(person.pendingEmail === null ? [] : [["new address", `${person.pendingEmail}, not confirmed yet`] as const]),
  ["state", person.active ? "active" : "disabled"],
  ["roles", person.roles.length === 0 ? "none" : person.roles.join(", ")],
  ["password", person.hasPassword ? "set" : "none"],
  ["factors", factorsInWords(person)],
  ...(person.termsVersion === null
    ? []
    : [["terms", `${person.termsVersion}, accepted ${optional(person.termsAcceptedAt)}`] as const]),
  ["created", moment(person.createdAt)],
  ["last login", optional(person.lastLoginAt)],
  ["last seen", optional(person.lastSeenAt)],
];

const indent = "  ";
const indented = (text: string): string => text.replaceAll(/^/gm, indent);
const label = 14;

function inWords(person: Person, nameOf: (id: string) => string, width: number): string {
  const room = width - indent.length;
  const below = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string =>
    rows.length === 0 ? "none" : table(rows, columns, room);
  const line = (name: string, value: string): string =>
    wrapped(harmless(value), room - label)
      .map((part, index) => (index === 0 ? name : "").padEnd(label) + part)
      .join("\n");
  const bullet = (text: string): string =>
    wrapped(harmless(text), room - indent.length)
      .map((part, index) => (index === 0 ? "- " : indent) + part)
      .join("\n");
  const hindrances = person.standing.map((hindrance) => bullet(hindranceInWords(hindrance, inEnglish(moment))));
  const troubles = person.troubles.map((trouble) => bullet(troubleInWords(trouble, inEnglish(moment))));
  const sections: readonly (readonly [heading: string, text: string])[] = [
    [
      "account",
      facts(person)
        .map(([name, value]) => line(name, value))
        .join("\n"),
    ],
    ["why the person can't sign in", hindrances.length === 0 ? "nothing is in the way" : hindrances.join("\n")],
    ...(troubles.length === 0 ? [] : [["what goes wrong", troubles.join("\n")] as const]),
    [
      "sessions",
      below(
        person.sessions.filter(({ isLive }) => isLive),
        sessionColumns,
      ),
    ],
    ["linked providers", below(person.identities, identityColumns(person.organizations))],
    ...(person.organizations.length === 0
      ? []
      : [["organizations", below(person.organizations, organizationColumns)] as const]),
    ["mails", below(person.mails, mailColumns)],
    ["last events", below(person.events.slice(0, eventsShown), personEventColumns(nameOf, person.id))],
  ];
  const text = sections.map(([heading, body]) => `${heading}\n${indented(body)}`).join("\n\n");
  return `${text}\n\ntimes are in UTC`;
}

const sessionColumns: readonly Column<Person["sessions"][number]>[] = [
  { head: "SINCE", of: ({ createdAt }) => moment(createdAt) },
  { head: "LAST SEEN", of: ({ lastSeenAt }) => moment(lastSeenAt) },
  { head: "APP", of: ({ app }) => app },
  { head: "ADDRESS", of: ({ ipAddress }) => ipAddress, least: 12 },
  { head: "BROWSER OR APP", of: ({ clientName, userAgent }) => clientName ?? userAgent, least: 12 },
];
const identityColumns = (organizations: Person["organizations"]): readonly Column<Person["identities"][number]>[] => [
  {
    head: "PROVIDER",
    of: ({ provider }) => organizations.find(({ id }) => providerOfOrganization(id) === provider)?.name ?? provider,
  },
  { head: "AS", of: ({ email, username, subject }) => email ?? username ?? subject, least: 16 },
  { head: "LINKED", of: ({ linkedAt }) => moment(linkedAt) },
  { head: "LAST LOGIN", of: ({ lastLoginAt }) => optional(lastLoginAt) },
];
const organizationColumns: readonly Column<Person["organizations"][number]>[] = [
  { head: "SLUG", of: ({ slug }) => slug, least: 12 },
  { head: "NAME", of: ({ name }) => name, least: 12 },
  { head: "ROLES", of: ({ roles }) => roles.join(", "), least: 8 },
  { head: "SINCE", of: ({ joinedAt }) => moment(joinedAt) },
];
const mailColumns: readonly Column<Person["mails"][number]>[] = [
  { head: "TIME", of: ({ at }) => moment(at) },
  { head: "MAIL", of: ({ kind }) => kind, least: 12 },
  { head: "STATE", of: ({ state }) => state },
  { head: "ANSWER OF THE RELAY, OR REASON", of: ({ answer, reason }) => answer ?? reason ?? "-", least: 20 },
];
const personEventColumns = (
  nameOf: (id: string) => string,
  id: string,
): readonly Column<Person["events"][number]>[] => [
  { head: "TIME", of: ({ at }) => moment(at) },
  ...eventColumns,
  { head: "BY", of: (event) => byWhom({ ...event, subjectUserId: id }, nameOf), least: 10 },
];
