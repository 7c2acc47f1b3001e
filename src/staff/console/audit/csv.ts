import { rowInWords, type Audit, type AuditRow, type AuditSearch } from "../../../audit/index.ts";
import { timestamp } from "../../../core/clock.ts";
import { englishStaffWords } from "../../../words/staff.ts";

/** The limits of a file. The last line of the file says whether rows are missing. */
export interface FileBounds {
  readonly rows: number;
  /** The most rows of the log that are searched for the file. */
  readonly lookedAt: number;
}

/** Searching a million rows is a minute of work, in steps of a few milliseconds. */
export const fileBounds: FileBounds = { rows: 50_000, lookedAt: 1_000_000 };

/** A file is read by programs, too: it is in English whatever the reader's language. */
const columns = [
  ["time", ({ at }) => timestamp(at)],
  ["what", (row) => rowInWords(row, englishStaffWords().reasons)],
  ["action", ({ action }) => action],
  ["outcome", ({ outcome }) => outcome],
  ["reason", ({ reason }) => reason],
  ["count", ({ count }) => String(count)],
  ["until", ({ endsAt }) => (endsAt === null ? null : timestamp(endsAt))],
  ["actor", ({ actor, operator }) => (operator === null ? actor : `${actor} (${operator})`)],
  ["actor_user_id", ({ actorUserId }) => actorUserId],
  ["user_id", ({ subjectUserId }) => subjectUserId],
  ["service", ({ service }) => service],
  ["organization_id", ({ organizationId }) => organizationId],
  ["session_id", ({ sessionId }) => sessionId],
  ["address", ({ address }) => address],
  ["user_agent", ({ userAgent }) => userAgent],
  ["request_id", ({ requestId }) => requestId],
  ["app", ({ app }) => app],
  ["id", ({ id }) => id],
] as const satisfies readonly (readonly [string, (row: AuditRow) => string | null])[];

/** By what a formula begins, in wide forms too, which spreadsheets of East Asia take for the plain ones. */
const begins = String.raw`[=+\-@|%\uff1d\uff0b\uff0d\uff20]`;
const formula = new RegExp(String.raw`^(?=\s*${begins}|[\t\r\n])`);
/** Spreadsheets whose lists have semicolons between them, or tabs, begin a cell there, and take no quotes of this file for any. */
const formulaWithin = new RegExp(String.raw`([;\t\r\n"]\s*)(?=${begins})`, "g");

/**
 * Writes a cell, quoted (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe first, wherever in the cell it stands: a
 * client that chooses its user agent must not control the spreadsheet of a reader (OWASP, CSV Injection).
 */
function cell(text: string | null): string {
  const harmless = (text ?? "").replaceAll(formulaWithin, "$1'").replace(formula, "'");
  return `"${harmless.replaceAll('"', '""')}"`;
}

const line = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(",")}\r\n`;

const ending = ({ rows }: FileBounds): string =>
  `The file ends here: it has at most ${rows.toLocaleString("en")} rows, and a search does not look back for ever. Ask for an earlier time.`;

interface CsvOptions {
  readonly search: AuditSearch;
  readonly bounds: FileBounds;
  /** Called once with the number of rows that were handed out, also where the download was broken off. */
  readonly onEnd: (rows: number) => Promise<unknown>;
}

/** Yields the lines of a file, window by window, so that memory holds one window at most. The last line says where rows are missing. */
export async function* csvOf(
  audit: Pick<Audit, "windows">,
  { search, bounds, onEnd }: CsvOptions,
): AsyncGenerator<string, void, undefined> {
  const windows = audit.windows(search, bounds.lookedAt);
  let rows = 0;
  let isWhole = true;
  try {
    yield line(columns.map(([name]) => name));
    let step = await windows.next();
    while (step.done !== true && isWhole) {
      const some = step.value.slice(0, bounds.rows - rows);
      isWhole = some.length === step.value.length;
      rows += some.length;
      if (some.length > 0) yield some.map((row) => line(columns.map(([, read]) => read(row)))).join("");
      if (isWhole) step = await windows.next();
    }
    if (!isWhole || step.value !== true) yield line([ending(bounds)]);
  } finally {
    await onEnd(rows);
  }
}
