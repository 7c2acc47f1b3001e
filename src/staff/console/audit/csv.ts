import { rowInWords, type AuditRow, type AuditWindows } from "../../../audit/index.ts";
import { timestamp } from "../../../core/clock.ts";

/** The most rows that a file gets; what it leaves out is said in its last line. */
export const mostRows = 50_000;

const columns = [
  ["time", ({ at }) => timestamp(at)],
  ["what", rowInWords],
  ["action", ({ action }) => action],
  ["outcome", ({ outcome }) => outcome],
  ["reason", ({ reason }) => reason],
  ["count", ({ count }) => String(count)],
  ["actor", ({ actor }) => actor],
  ["actor_user_id", ({ actorUserId }) => actorUserId],
  ["user_id", ({ subjectUserId }) => subjectUserId],
  ["service", ({ service }) => service],
  ["session_id", ({ sessionId }) => sessionId],
  ["address", ({ address }) => address],
  ["user_agent", ({ userAgent }) => userAgent],
  ["request_id", ({ requestId }) => requestId],
  ["app", ({ app }) => app],
  ["id", ({ id }) => id],
] as const satisfies readonly (readonly [string, (row: AuditRow) => string | null])[];

/**
 * A cell that a spreadsheet would take for a formula begins with an apostrophe, so that nobody who chose a user agent can make the
 * spreadsheet of a reader do something (OWASP, CSV Injection). Everything is quoted (RFC 4180).
 */
function cell(text: string | null): string {
  const value = text ?? "";
  const harmless = /^[\s]*[=+\-@|%]/.test(value) || /^[\t\r\n]/.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

const line = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(",")}\r\n`;

const ending = `The file ends here: it has at most ${mostRows.toLocaleString("en")} rows, and a search does not look back for ever. Ask for an earlier time.`;

/** The lines of a file, window by window, so that no more than a window is in memory. A file that is not whole says so in its last line. */
export async function* csvOf(windows: AuditWindows): AsyncGenerator<string, void, undefined> {
  yield line(columns.map(([name]) => name));
  let left = mostRows;
  let step = await windows.next();
  while (step.done !== true && left > 0) {
    const some = step.value.slice(0, left);
    left -= some.length;
    if (some.length > 0) yield some.map((row) => line(columns.map(([, read]) => read(row)))).join("");
    step = await windows.next();
  }
  if (step.done !== true || !step.value) yield line([ending]);
}
