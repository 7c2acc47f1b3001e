import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { hidden } from "../../../http/index.ts";
import type { StaffContext } from "../../context.ts";
import type { StaffPages } from "../../pages.ts";
import type { ConsoleParts } from "../options.ts";
import { csvOf } from "./csv.ts";
import { readFilter, type Filter } from "./filter.ts";
import { AuditLogPage } from "./page.tsx";

interface AuditOptions extends Pick<ConsoleParts, "audit" | "namesOf" | "idOf"> {
  readonly staff: StaffPages;
}

const rowsAPage = 50;
/** A file is made of at most so many rows that were looked at: a minute of work in steps of a few milliseconds. */
const mostLookedAt = 1_000_000;

export function auditRoutes({ staff, audit, namesOf, idOf }: AuditOptions) {
  const filterOf = ({ search, times }: StaffContext): Promise<Filter> => readFilter({ search, zone: times.zone, idOf });

  async function show(context: StaffContext) {
    const filter = await filterOf(context);
    const isWrong = Object.keys(filter.faults).length > 0;
    const page = isWrong ? undefined : await audit.page(filter.search, filter.before, rowsAPage);
    const ids = page?.rows.flatMap(({ subjectUserId, actorUserId }) => [subjectUserId ?? [], actorUserId ?? []].flat());
    return AuditLogPage({ context, filter, page, names: await namesOf(ids ?? []) });
  }

  async function download(context: StaffContext): Promise<Response> {
    const { search, faults } = await filterOf(context);
    if (Object.keys(faults).length > 0) throw new AppError("invalid_payload");
    const lines = csvOf(audit.windows(search, mostLookedAt));
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return(undefined);
      },
    });
    return new Response(body, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="audit.csv"',
        "cache-control": "no-store",
      },
    });
  }

  return new Elysia({ name: "staff/audit" })
    .get("/audit", ({ request, set }) => staff.page(request, set, show), hidden)
    .get("/audit.csv", ({ request, set }) => staff.page(request, set, download), hidden);
}
