import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import type { StaffContext } from "../../frame/context.ts";
import type { StaffPages } from "../../pages.ts";
import type { ConsoleParts } from "../options.ts";
import { csvOf, fileBounds } from "./csv.ts";
import { createDownloads } from "../../frame/downloads.ts";
import { filterInWords, readFilter, type Filter } from "./filter.ts";
import { AuditLogPage } from "./page.tsx";

interface AuditOptions extends Pick<ConsoleParts, "audit" | "commit" | "namesOf" | "idOf" | "organizations"> {
  readonly staff: StaffPages;
}

const rowsAPage = 50;
/** The most files that one process writes at once. */
const mostFiles = 2;

export function auditRoutes({ staff, audit, commit, namesOf, idOf, organizations }: AuditOptions) {
  const write = createDownloads(mostFiles);
  const filterOf = ({ search, times, words }: StaffContext): Promise<Filter> =>
    readFilter({ search, words: words.audit.filter.faults, zone: times.zone, idOf, organizations });

  async function show(context: StaffContext) {
    const filter = await filterOf(context);
    const isWrong = Object.keys(filter.faults).length > 0;
    const page = isWrong ? undefined : await audit.page(filter.search, filter.before, rowsAPage);
    const ids = page?.rows.flatMap(({ subjectUserId, actorUserId }) => [subjectUserId ?? [], actorUserId ?? []].flat());
    const about = page?.rows.flatMap(({ organizationId }) => organizationId ?? []);
    return AuditLogPage({
      context,
      filter,
      page,
      names: await namesOf(ids ?? []),
      organizations: await organizations?.namesOf(about ?? []),
    });
  }

  /**
   * Sends the found rows as a file. The log records the reader, the search and the number of rows (OWASP Logging Cheat Sheet, Which events
   * to log).
   */
  async function download(context: StaffContext): Promise<Response> {
    const filter = await filterOf(context);
    if (Object.keys(filter.faults).length > 0) throw new AppError("invalid_payload");
    const { by } = context;
    const reason = filterInWords(filter);
    const lines = csvOf(audit, {
      search: filter.search,
      bounds: fileBounds,
      onEnd: (count) =>
        commit({
          statements: [],
          tell: [{ topic: "audit.exported", payload: { count }, by, ...(reason && { reason }) }],
        }),
    });
    const body = write(lines);
    return new Response(body, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="audit.csv"',
        "cache-control": "no-store",
      },
    });
  }

  return new Elysia({ name: "staff/audit" })
    .use(staff.page("/audit", "audit.see", show))
    .use(staff.page("/audit.csv", "audit.export", download));
}
