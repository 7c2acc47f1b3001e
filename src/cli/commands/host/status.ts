import { day, minute } from "../../../core/clock.ts";
import { judgeFile } from "../../../config/index.ts";
import { lookAtHost, readStatus, type HostStatus } from "../../../host/index.ts";
import { command, exitCode } from "../../command.ts";
import { defaultWidth, harmless, megabytes, moment, wrapped } from "../../terminal/columns.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { hostApp, hostSystem, neededSecrets, onHost } from "./app.ts";

/** Shows how this host is on one screen. What is wrong, and what mends it, is for host:check to say. */
export const status = command({
  args: { json: jsonObject },
  run: (context, args) =>
    onHost(context, async () => {
      const app = hostApp(context);
      const view = await lookAtHost({
        system: hostSystem(context),
        app,
        secrets: neededSecrets(app),
        judgeLines: (text) => judgeFile(text).findings,
      });
      const found = await readStatus(view);
      if (args.json === true) context.terminal.out(jsonLine(found));
      else for (const line of lines(found)) context.terminal.out(line);
      return exitCode.done;
    }),
});

const isUnknown = (value: unknown): value is { readonly unknown: string } =>
  typeof value === "object" && value !== null && "unknown" in value;
const known = <Value>(value: Value | { readonly unknown: string }, inWords: (value: Value) => string): string =>
  isUnknown(value) ? `not known: ${value.unknown}` : inWords(value);

/** Says how long ago something was, for people: the largest unit alone. */
function ago(ms: number): string {
  if (ms < 2 * minute) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < 2 * 60 * minute) return `${Math.round(ms / minute)} min`;
  return ms < 2 * day ? `${Math.round(ms / (60 * minute))} h` : `${Math.round(ms / day)} days`;
}
/** A time that is to come was written while the clock was ahead. */
function since(at: string): string {
  const age = Date.now() - Date.parse(at);
  return `${moment(Date.parse(at))} UTC, ${age < -minute ? "which is AHEAD of the clock" : `${ago(age)} ago`}`;
}

function lines(found: HostStatus): readonly string[] {
  const { release, queue, mails_since_start: mails, certificate } = found;
  const rows: (readonly [name: string, text: string])[] = [
    [
      "address",
      `${found.url ?? "none"}${isUnknown(certificate) ? "" : ` answers ${certificate.status}${certificate.problem === null ? "" : ", which BROWSERS REFUSE"}`}`,
    ],
    [
      "release",
      [
        release.current ?? "none",
        ...(release.previous === null ? [] : [`before it ${release.previous}`]),
        ...(release.unfinished === null ? [] : [`${release.unfinished} was CUT OFF on its way`]),
      ].join(", "),
    ],
    ...found.services.map(({ unit, state, restarts, since: from }, index): readonly [string, string] => [
      index === 0 ? "services" : "",
      `${unit.replace(/\.service$/, "")} ${state}${from === null ? "" : ` for ${ago(Date.now() - from)}`}${restarts === 0 ? "" : `, restarted ${restarts} times`}`,
    ]),
    ...found.readiness.map(({ port, ready, partly, reasons }, index): readonly [string, string] => [
      index === 0 ? "readiness" : "",
      `port ${port} is ${ready ? "ready" : partly ? "NOT READY at one of its instances" : "NOT READY"}${reasons.length === 0 ? "" : `${ready ? " without" : ":"} ${reasons.join("; ")}`}`,
    ]),
    ...(found.maintenance === false
      ? []
      : ([["maintenance", known(found.maintenance, () => "is ON: everybody is refused")]] as const)),
    [
      "queue",
      known(queue, ({ waiting, oldest_seconds: oldest }) =>
        waiting === 0 ? "no job waits" : `${waiting} jobs wait, the oldest for ${ago(oldest * 1_000)}`,
      ) + `, ${known(found.dead_letters, (count) => `${count} dead letters`)}`,
    ],
    ["mails", `${mails.sent} sent and ${mails.failed} refused since the processes began`],
    [
      "certificate",
      known(
        certificate,
        ({ ends_at: at, problem }) => problem ?? `ends on ${at.slice(0, 10)}, in ${daysUntil(at)} days`,
      ),
    ],
    [
      "last backup",
      known(found.backup, (backup) => (backup === null ? "none yet" : `${since(backup.made_at)} (${backup.file})`)),
    ],
    [
      "last drill",
      known(found.drill, (drill) => (drill === null ? "none yet" : `${since(drill.at)}: ${drill.outcome}`)),
    ],
    ...found.disks.map(({ folder, free_bytes: free, free_share: share }, index): readonly [string, string] => [
      index === 0 ? "disk" : "",
      `${folder} has ${megabytes(free)} free (${Math.round(share * 100)} %)`,
    ]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, text]) =>
    wrapped(harmless(text), defaultWidth - width).map((line, index) => (index === 0 ? name : "").padEnd(width) + line),
  );
}

const daysUntil = (at: string): number => Math.floor((Date.parse(at) - Date.now()) / day);
