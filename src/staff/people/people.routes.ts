import { Elysia } from "elysia";
import type { Audit } from "../../audit/index.ts";
import type { AccountFile, AccountName, Accounts, People } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { isId } from "../../core/ids.ts";
import { providerOfOrganization } from "../../core/people/providers.ts";
import { readPosition, writePosition } from "../../core/text/position.ts";
import type { StaffContext } from "../frame/context.ts";
import type { StaffPages } from "../pages.ts";
import { createDownloads } from "../frame/downloads.ts";
import { acts, type Act } from "./acts.ts";
import { DeletePage } from "./delete.page.tsx";
import { ExportPage } from "./export.page.tsx";
import type { EventsPage } from "./sections/events.section.tsx";
import type { InspectsOfPerson } from "./sections/inspects.section.tsx";
import { ListPage } from "./list.page.tsx";
import { PersonPage } from "./person.page.tsx";
import type { Impersonation } from "./sections/acts.section.tsx";
import { isExactly, readSearch } from "./search.ts";

export interface PeopleRouteOptions {
  readonly staff: StaffPages;
  readonly people: People;
  readonly accounts: Accounts;
  readonly accountFile: AccountFile;
  readonly audit: Pick<Audit, "ofSubject">;
  /** Finds the records of Lighthouse about an account, in both apps; undefined where nothing is recorded. */
  readonly inspectsOf: ((userId: string, limit: number) => Promise<InspectsOfPerson>) | undefined;
  readonly namesOf: (ids: Iterable<string>) => Promise<ReadonlyMap<string, AccountName>>;
  /** Returns the name of a provider for people. */
  readonly providerName: (provider: string) => string;
  readonly impersonation: Impersonation;
  /** Whether people belong to organizations, which have pages of their own. */
  readonly showsOrganizations: boolean;
}

const peopleAPage = 50;
const eventsAPage = 30;
const mostInspects = 20;
/** The most files that one process writes at once. */
const mostFiles = 2;

/** Returns the path of a person's page. An act on a text that is no id leads to the list. */
const pathOf = (id: string): string => (isId(id) ? `/people/${id}` : "/people");

async function* withEnds(lines: AsyncGenerator<string, void, undefined>) {
  for await (const line of lines) yield `${line}\n`;
}

/** Serves the pages on which staff look after people. */
export function peopleRoutes(options: PeopleRouteOptions) {
  const { staff, people, accounts, audit, inspectsOf, namesOf, providerName, impersonation, showsOrganizations } =
    options;
  const write = createDownloads(mostFiles);

  /** Reads the audit log of one account page by page, newest first. A cursor that makes no sense leads to the first page. */
  async function eventPage(userId: string, cursor: string | null): Promise<EventsPage> {
    const before = readPosition(cursor ?? "");
    const found = await audit.ofSubject(userId, before, eventsAPage + 1);
    const rows = found.slice(0, eventsAPage);
    const last = found.length > eventsAPage ? rows.at(-1) : undefined;
    const others = rows.flatMap(({ actorUserId }) => (actorUserId === userId ? [] : (actorUserId ?? [])));
    return { rows, names: await namesOf(others), isFirst: before === undefined, next: last && writePosition(last) };
  }

  async function list(context: StaffContext) {
    const search = readSearch(context.search);
    const { people: found, next } = await people.list({ ...search, limit: peopleAPage });
    const [only] = found;
    if (only !== undefined && found.length === 1 && isExactly(search, only)) return { to: pathOf(only.id) };
    return ListPage({ context, search, people: found, next, counts: await people.counts() });
  }

  async function person(context: StaffContext, login: string) {
    const shown = await people.show(login);
    if (shown.id !== login) return { to: pathOf(shown.id) };
    const [events, inspects] = await Promise.all([
      eventPage(shown.id, context.search.get("before")),
      inspectsOf?.(shown.id, mostInspects),
    ]);
    const own = new Map(shown.organizations.map(({ id, name }) => [providerOfOrganization(id), name]));
    const nameOf = (provider: string): string => own.get(provider) ?? providerName(provider);
    return PersonPage({
      context,
      person: shown,
      events,
      inspects,
      providerName: nameOf,
      impersonation,
      showsOrganizations,
    });
  }

  /** Throws `not_found` unless an account has the id: the id of a deleted account may be the user name of another one. */
  async function requireId(id: string): Promise<string> {
    if ((await accounts.idOf(id)) !== id) throw new AppError("not_found");
    return id;
  }

  /** Sends everything that is kept of an account as a file. The row of the audit log comes first, so that no file goes without one. */
  async function download({ by }: StaffContext, id: string): Promise<Response> {
    const found = await accounts.recordExport(await requireId(id), by);
    return new Response(write(withEnds(options.accountFile(found))), {
      headers: {
        "content-type": "application/json",
        "content-disposition": `attachment; filename="account-${found}.json"`,
        "cache-control": "no-store",
      },
    });
  }

  const routes = new Elysia({ name: "staff/people" })
    // Mails about an account link to `/account` in either app.
    .use(staff.page("/account", "own.manage", ({ viewer }) => ({ to: pathOf(viewer.session.userId) })))
    .use(staff.page("/people", "people.see", list))
    .use(staff.page("/people/:id", "people.see", person))
    .use(
      staff.page("/people/:id/export", "people.export", async (context, id) =>
        ExportPage({ context, person: await people.show(id) }),
      ),
    )
    .use(
      staff.act(
        "/people/:id/export",
        (id) => ({ may: "people.export", back: pathOf(id), isDangerous: true }),
        async (context, _form, id) => ({ file: await download(context, id) }),
      ),
    )
    .use(
      staff.page("/people/:id/delete", "people.delete", async (context, id) =>
        DeletePage({ context, person: await people.show(id) }),
      ),
    )
    .use(
      staff.act(
        "/people/:id/delete",
        (id) => ({ may: "people.delete", back: pathOf(id), isDangerous: true }),
        async (context, form, id) => {
          const doomed = await people.show(await requireId(id));
          if (form.get("username")?.trim() !== doomed.username) {
            const error = context.words.people.deletion.wrong({ username: doomed.username });
            return { page: DeletePage({ context, person: doomed, error }), refusal: new AppError("invalid_payload") };
          }
          await accounts.delete(doomed.id, context.by);
          const text = context.words.people.deletion.done({ username: doomed.username });
          return { to: "/people", notice: { kind: "good", text } };
        },
      ),
    );
  for (const [name, act] of Object.entries<Act>(acts))
    routes.use(
      staff.act(
        `/people/:id/${name}`,
        (id) => ({ may: act.may, back: pathOf(id), isDangerous: act.isDangerous }),
        async ({ by, words }, form, id) => ({
          to: pathOf(id),
          notice: await act.perform(accounts, { id: await requireId(id), by, form, words: words.acts }),
        }),
      ),
    );
  return routes;
}
