import type { AccountExport, Client, Result } from "../../../client/index.ts";

/** The most pages of an export, which cuts off a longer log: the server gives no more pages an hour. */
const mostPages = 50;

/** Resolves to everything that the service keeps of the person, in one document. The server gives the log in pages. */
export async function exportAll(client: Client): Promise<Result<AccountExport>> {
  const first = await client.exportAccount();
  if (!first.ok) return first;
  const events = [...first.events];
  let { next } = first;
  for (let pages = 1; next !== null && pages < mostPages; pages += 1) {
    const more = await client.exportAccount({ events_before: next });
    if (!more.ok) return more;
    events.push(...more.events);
    ({ next } = more);
  }
  return { ...first, events, next };
}

/** Has the browser save a file as if it had been downloaded. */
export function saveAs(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
