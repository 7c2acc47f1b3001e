import type { AuditSearch } from "../../../audit/index.ts";
import { normaliseAddress } from "../../../core/address/address.ts";
import { auditActions } from "../../../core/audit.ts";
import { minute, timestamp, type Millis } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { isId } from "../../../core/ids.ts";
import { readPosition } from "../../../core/text/position.ts";
import { englishStaffWords, type StaffWords } from "../../../words/staff.ts";
import type { ConsoleParts } from "../options.ts";

/** The fields of the form, as the address names them. */
export const fields = [
  "person",
  "by",
  "action",
  "outcome",
  "actor",
  "reason",
  "address",
  "service",
  "organization",
  "from",
  "until",
] as const;
export type Field = (typeof fields)[number];
type Typed = Readonly<Partial<Record<Field, string>>>;

export type Filter = Awaited<ReturnType<typeof readFilter>>;

const longestText = 200;

function typedIn(search: URLSearchParams): Typed {
  const typed: Partial<Record<Field, string>> = {};
  for (const field of fields) {
    const text = (search.get(field) ?? "").trim().slice(0, longestText);
    if (text !== "") typed[field] = text;
  }
  return typed;
}

interface FilterOptions {
  readonly search: URLSearchParams;
  /** What is said of a fault. */
  readonly words: StaffWords["audit"]["filter"]["faults"];
  /** The zone of the times in the form (IANA). */
  readonly zone: string;
  /** Returns the id of an account. Throws `not_found`. */
  readonly idOf: (login: string) => Promise<string>;
  readonly organizations: ConsoleParts["organizations"];
}

/** Reads the filter from the address of the page. */
export async function readFilter({ search, words, zone, idOf, organizations }: FilterOptions) {
  const typed = typedIn(search);
  /** Field → its fault. A filter with faults searches nothing. */
  const faults: Partial<Record<Field, string>> = {};

  /** Returns the id for a person. A typed id is used as it is, since the log outlives the account. */
  async function person(field: "person" | "by"): Promise<string | undefined> {
    const login = typed[field];
    if (login === undefined || isId(login)) return login;
    try {
      return await idOf(login);
    } catch (error) {
      if (!(error instanceof AppError && error.reason === "not_found")) throw error;
      faults[field] = words.person;
      return undefined;
    }
  }
  /** Returns the id of an organization. A typed id is used as it is, since the log outlives the organization. */
  async function organization(): Promise<string | undefined> {
    const named = typed.organization;
    if (named === undefined || isId(named)) return named;
    try {
      if (organizations !== undefined) return (await organizations.find(named)).id;
    } catch (error) {
      if (!(error instanceof AppError && error.reason === "organization_not_found")) throw error;
    }
    faults.organization = words.organization;
    return undefined;
  }
  function one(field: "action" | "outcome" | "actor", choices: readonly string[]): string | undefined {
    const value = typed[field];
    if (value !== undefined && !choices.includes(value)) faults[field] = words.choose;
    return value;
  }
  function time(field: "from" | "until"): Millis | undefined {
    const text = typed[field];
    const at = text === undefined ? undefined : fromZone(text, zone);
    if (text !== undefined && at === undefined) faults[field] = words.time;
    return at;
  }

  const address = typed.address === undefined ? undefined : normaliseAddress(typed.address);
  if (typed.address !== undefined && address === undefined) faults.address = words.address;
  const found: AuditSearch = {
    subjectUserId: await person("person"),
    staffUserId: await person("by"),
    action: one("action", auditActions),
    outcome: one("outcome", ["success", "failure"]),
    actor: one("actor", Object.keys(englishStaffWords().reasons.actors)),
    reason: typed.reason,
    address,
    service: typed.service,
    organizationId: await organization(),
    since: time("from"),
    until: time("until"),
  };
  return { typed, search: found, faults, before: readPosition(search.get("before") ?? "") };
}

/**
 * Returns the search in words for the log itself; empty for a search without a filter. People appear by their ids, since a typed name may
 * be an address. Times are in UTC, since the zone of the searcher may change.
 */
export function filterInWords({
  typed,
  search: { subjectUserId, staffUserId, organizationId, since, until },
}: Filter): string {
  const meant = {
    ...typed,
    ...(subjectUserId !== undefined && { person: subjectUserId }),
    ...(staffUserId !== undefined && { by: staffUserId }),
    ...(organizationId !== undefined && { organization: organizationId }),
    ...(since !== undefined && { from: timestamp(since) }),
    ...(until !== undefined && { until: timestamp(until) }),
  };
  return Object.entries(meant)
    .map(([field, value]) => `${field} ${value}`)
    .join(", ");
}

/** Returns the query of the page that shows the same search. */
export function queryOf(typed: Typed, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...typed, ...more }).toString();
  return query === "" ? "" : `?${query}`;
}

const local = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?::\d{2})?)?$/;

/** Returns how far a zone is ahead of UTC at a moment. */
function offsetAt(moment: Millis, zone: string): Millis {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  const [, sign = "+", hours = "0", minutes = "0"] = /GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute;
}

/** Returns the moment of a date and time in that zone; undefined for a text that is no date. */
function fromZone(text: string, zone: string): Millis | undefined {
  const [, date, time = "00:00"] = local.exec(text) ?? [];
  const wall = date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`);
  if (Number.isNaN(wall)) return undefined;
  // The second offset is right also close to a change of the clocks.
  const near = wall - offsetAt(wall, zone);
  return wall - offsetAt(near, zone);
}
