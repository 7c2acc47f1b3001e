import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** What starts processes by itself: a run from the sources would only repeat what the run against the binary shows. */
const processes = [
  "test/contract/app/{adversity,clock,durability,full.disk,newer.database,pooler,postgres.login,processes,queue.redis,readme,redis,redis.sentinel,split,supervisor}.test.ts",
  "test/contract/audit/{commands,processes}.test.ts",
  "test/contract/auth/{challenge.processes,factors.processes,processes,start,transfer,transfer.foreign,transfer.metadata}.test.ts",
  "test/contract/backup/*.test.ts",
  "test/contract/cli/*.test.ts",
  "test/contract/config/*.test.ts",
  "test/contract/idp/clients.test.ts",
  "test/contract/invitations/processes.test.ts",
  "test/contract/maintenance/shared.test.ts",
  "test/contract/observe/listeners.test.ts",
  "test/contract/backend/services.test.ts",
  "test/contract/webhook/processes.test.ts",
  "test/contract/words/commands.test.ts",
  "test/examples/*.test.ts",
  "test/kits/{go,javascript,resource,servers,starlette}.test.ts",
  "test/property/processes.test.ts",
];

/**
 * What a build can break though the sources are right: names that minifying shortens, modules that are loaded when used,
 * native code, embedded files, pages and their scripts, cookies and bytes on the wire. At least one file of every room. What the
 * binary does right, the sources do: these run against the binary alone.
 */
const buildSensitive = [
  "test/contract/app/{brand,cache,readiness}.test.ts",
  "test/contract/account/{journeys,pages}.test.ts",
  "test/contract/audit/actions.test.ts",
  "test/contract/auth/{cookie-domain,cookies,login,native,overload,passkeys,passkeys.browser,passwords,reference,refresh,register,reset-confirm,signing,storage,token-confusion,verification,verify}.test.ts",
  "test/contract/inspect/{both,browser,records,secrets}.test.ts",
  "test/contract/invitations/{accept,browser}.test.ts",
  "test/contract/maintenance/{control,maintenance}.test.ts",
  "test/contract/staff/{browser,renewal,sign-in}.test.ts",
  "test/contract/oauth/{browser,sign-in,start}.test.ts",
  "test/contract/observe/metrics.test.ts",
  "test/contract/idp/{authorize,code,pages.browser,tokens}.test.ts",
  "test/contract/staff/{console,people,person.acts}.test.ts",
  "test/contract/words/{hostile.browser,words}.test.ts",
  "test/contract/impersonation/{impersonation.browser,routes}.test.ts",
];

/** At least one file for every repository. */
const onPostgres = [
  "test/contract/auth/{account-deletion,account-export,factors,factors.login,login,mail-fates,passkeys,passkeys.own,refresh,reset-confirm,sessions,strangers,transfer,transfer.foreign}.test.ts",
  "test/contract/audit/actions.test.ts",
  "test/contract/cli/{organizations.transfer,queue}.test.ts",
  "test/contract/impersonation/{ends,impersonation}.test.ts",
  "test/contract/invitations/accept.test.ts",
  "test/contract/oauth/{link,sign-in}.test.ts",
  "test/contract/people/acts.test.ts",
  "test/contract/idp/{apps,clients,code,consent,device,document,dpop,logout,registration}.test.ts",
  "test/contract/backend/{filters,first.password,metadata,users}.test.ts",
  "test/property/{account.counts,active.people,metadata}.test.ts",
  "test/contract/organization/{organizations,records,services}.test.ts",
  "test/contract/staff/{console,dashboard,organizations,people}.test.ts",
];

/** What is about the file of SQLite itself, and has no meaning on a server. */
const aboutTheFile = [
  // A backup is a copy of the file; a server has tools of its own.
  "test/contract/backup/*.test.ts",
  // What is followed is its write-ahead log.
  "test/property/continuous.test.ts",
  // A backup is a copy of the file.
  "test/property/backup.flips.test.ts",
  // The disk of the file fills up, its folder is read-only, or another connection locks it.
  "test/contract/app/{adversity,full.disk,readiness}.test.ts",
  // They begin with a file that another release has written.
  "test/contract/app/{apps,newer.database,older.database,older.sessions}.test.ts",
  // A missing file is made, or refused.
  "test/contract/cli/create.test.ts",
  // The rules of settings, of which the database driver is one.
  "test/contract/config/*.test.ts",
  "test/contract/auth/start.test.ts",
];

/** What it watches the commits with is written in the dialect of SQLite. */
const watchedByTriggers = ["test/property/factors.test.ts"];

/** Single tests about the file of SQLite in other files. They are named here, and not skipped in their files, since a check fails where a test is skipped. */
const testsAboutTheFile = [
  "looking at an absent database says that everything is pending, and creates nothing",
  "without a database it says so, and makes none",
  "with its file removed or replaced under it",
];

/** What compares times, and would compare those of its neighbours. */
const alone = ["test/contract/auth/enumeration.test.ts", "test/contract/app/hostile.costs.test.ts"];

/** Each installs a framework and makes an app of it. React and the quickest that renders on a server are in every check, and of the gates for servers those in Go and for Starlette. */
const furtherFrameworks = [
  "test/frameworks/{expo.app,next,nuxt,svelte,vue}.test.ts",
  "test/kits/{django,flask}.test.ts",
];

const chaos = ["test/chaos/{abuse,chaos}.test.ts"];
const releases = ["test/release/release.test.ts"];
/** Fills databases with a million accounts. */
const millions = ["test/release/million.test.ts"];
const hosts = [
  "test/hosts/hosts.test.ts",
  "test/host/{callers.files,due,kept,looked.at,machine,mistaken,unprivileged,words}.test.ts",
  "test/artefact/debian.test.ts",
];
/** Primaries that die while people write, which takes minutes. */
const failovers = ["test/hosts/patroni.test.ts"];
/** Waits for alerts, and releases for an hour without one. */
const alerts = ["test/host/alerts.test.ts"];

/** Paths from the root. A pattern that finds nothing is a mistake in the lists above. */
function find(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = [...new Bun.Glob(pattern).scanSync(root)];
    if (found.length === 0) throw new Error(`no test file is ${pattern}`);
    return found;
  });
}

/** Paths of test files from the root, by what runs them. */
export type Lanes = Readonly<
  Record<
    "releases" | "hosts" | "chaos" | "inProcess" | "processes" | "binary" | "postgres" | "chaosOnPostgres" | "alone",
    readonly string[]
  >
>;

interface LaneOptions {
  readonly full: boolean;
  /** Whether all tests that ask for a service run on a Postgres server too, and not only a choice of them. */
  readonly wholeOnPostgres: boolean;
}

/** Only tests with such a name can run on a Postgres server. */
export const namesOnPostgres = `^(?!.*(?:${testsAboutTheFile.join("|")}))`;

/**
 * Which test files run in process and which against the binary. In process runs whatever is not named here, so that no
 * new file is left out, but for further frameworks. With `full` every file runs wherever it can.
 */
export function lanesOf({ full, wholeOnPostgres }: LaneOptions): Lanes {
  const againstBinary = full ? [] : [...processes, ...buildSensitive];
  const left = full ? [] : furtherFrameworks;
  const notInProcess = new Set(
    find([...alone, ...chaos, ...releases, ...millions, ...hosts, ...failovers, ...alerts, ...againstBinary, ...left]),
  );
  const takesBinary = find(["test/{contract,examples,idp,kits}/**/*.test.ts", "test/property/processes.test.ts"]);
  const startsProcesses = new Set(find(processes));
  const runsAlone = new Set(find(alone));
  const isAboutTheFile = new Set(find([...aboutTheFile, ...watchedByTriggers]));
  const allOnPostgres = find(["test/{contract,property}/**/*.test.ts"]).filter(
    (path) => !isAboutTheFile.has(path) && !runsAlone.has(path),
  );
  return {
    releases: find(full ? [...releases, ...millions] : releases),
    hosts: find(full ? [...hosts, ...failovers, ...alerts] : hosts),
    chaos: find(chaos),
    inProcess: find(["test/**/*.test.{ts,tsx}"])
      .filter((path) => !notInProcess.has(path))
      .toSorted(),
    processes: find(processes).toSorted(),
    binary: (full
      ? takesBinary.filter((path) => !runsAlone.has(path) && !startsProcesses.has(path))
      : find(buildSensitive)
    ).toSorted(),
    postgres: (wholeOnPostgres ? allOnPostgres : find(onPostgres)).toSorted(),
    chaosOnPostgres: wholeOnPostgres ? find(chaos) : [],
    alone: find(alone),
  };
}
