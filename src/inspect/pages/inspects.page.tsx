/** @jsxImportSource #html */
import { Empty, withQuery } from "../../http/pages/parts/list.tsx";
import { inspectSources } from "../../observe/timeline.ts";
import type { Found, Search, WhyUnread } from "../record/store.ts";
import { Page, type PageContext } from "./page.tsx";
import { Records } from "./parts.tsx";

interface InspectsProps {
  readonly context: PageContext;
  readonly search: Search;
  /** Undefined where nothing is recorded. */
  readonly found: Found | undefined;
  /** The apps whose inspects are shown. */
  readonly apps: readonly string[];
}

interface ChoiceProps {
  readonly label: string;
  readonly name: string;
  /** The name of the choice that filters nothing. */
  readonly all: string;
  readonly choices: readonly string[];
  readonly chosen: string | undefined;
}

const Choice = ({ label, name, all, choices, chosen }: ChoiceProps) => (
  <label>
    {label}
    <select name={name}>
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice} selected={choice === chosen}>
          {choice}
        </option>
      ))}
    </select>
  </label>
);

interface TextProps {
  readonly label: string;
  readonly name: string;
  readonly size: number;
  readonly placeholder?: string;
  readonly inputmode?: "decimal";
  readonly value: string | number | undefined;
}

const Text = ({ label, value = "", ...input }: TextProps) => (
  <label>
    {label}
    <input {...input} value={value} />
  </label>
);

const Filters = ({ search, apps }: Pick<InspectsProps, "search" | "apps">) => (
  <form class="filters" method="get" action="/lighthouse" role="search" aria-label="Filter the inspects">
    {apps.length > 1 && <Choice label="App" name="app" all="both" choices={apps} chosen={search.app} />}
    <Choice label="Source" name="source" all="all" choices={inspectSources} chosen={search.source} />
    <label>
      Outcome
      <select name="outcome">
        <option value="">all</option>
        <option value="failed" selected={search.failed === true}>
          refused or failed
        </option>
        <option value="fine" selected={search.failed === false}>
          went well
        </option>
      </select>
    </label>
    <Text label="Status" name="status" size={6} placeholder="401, 5xx" value={search.status} />
    <Text label="At least ms" name="min_duration_ms" size={6} inputmode="decimal" value={search.minDurationMs} />
    <Text label="Name" name="name" size={14} placeholder="login" value={search.name} />
    <Text label="Account" name="user" size={14} placeholder="its id" value={search.userId} />
    <label class="wide">
      Text
      <input type="search" name="text" placeholder="a reason, an address, a request id" value={search.text ?? ""} />
    </label>
    {search.traceId !== undefined && <Text label="Trace" name="trace_id" size={14} value={search.traceId} />}
    <div class="actions">
      <button class="primary">Filter</button>
      <a href="/lighthouse">Clear</a>
    </div>
  </form>
);

const older = ({ failed, minDurationMs, traceId, userId, ...search }: Search, last: string): string => {
  const { app, source, status, name, text } = search;
  const outcome = failed === undefined ? undefined : failed ? "failed" : "fine";
  const ids = { min_duration_ms: minDurationMs, trace_id: traceId, user: userId };
  return withQuery("/lighthouse", { app, source, outcome, status, name, text, ...ids, before: last });
};

const isFiltered = ({ limit: _limit, ...filters }: Search): boolean =>
  Object.values(filters).some((filter) => filter !== undefined);

const unreadWords: Readonly<Record<WhyUnread, string>> = {
  absent: "has recorded nothing on this host.",
  other_release: "is of another release, whose inspects this one can't read.",
  unreadable: "has inspects that can't be read: the log of this app says why.",
};

/** Says which inspects the page lacks, and why. */
const UnreadNotice = ({ unread: { app, why } }: { readonly unread: NonNullable<Found["unread"]> }) => (
  <p class={why === "absent" ? "soft" : "notice warning"}>
    These are the inspects of this app alone: <code>{app}</code> {unreadWords[why]}
  </p>
);

export function InspectsPage({ context, search, found, apps }: InspectsProps) {
  const inspects = found?.inspects ?? [];
  const recording = found !== undefined;
  const last = inspects.length < search.limit ? undefined : inspects.at(-1);
  return (
    <Page context={context} title="Inspects" at="inspects">
      <div class="heading">
        <h1>Inspects</h1>
        {recording && search.before === undefined && (
          <label class="live" hidden>
            <input type="checkbox" aria-label="Live" data-live checked /> <span role="status">Live</span>
          </label>
        )}
      </div>
      {recording ? (
        <Filters search={search} apps={apps} />
      ) : (
        <p class="notice warning">
          Nothing is recorded: <code>LIGHTHOUSE_INSPECT_ENABLED</code> is off.
        </p>
      )}
      <section data-records>
        {found?.unread && <UnreadNotice unread={found.unread} />}
        {inspects.length === 0 ? (
          recording && (
            <Empty>
              {isFiltered(search)
                ? "Nothing that fits has been recorded."
                : "Nothing has been recorded yet. Each request, job, scheduled run and command will appear here."}
            </Empty>
          )
        ) : (
          <Records inspects={inspects} apps={apps} caption="Inspects, the latest first" />
        )}
        {last && (
          <p class="more">
            <a href={older(search, last.id)}>Older</a>
          </p>
        )}
      </section>
    </Page>
  );
}
