import { Type } from "@sinclair/typebox";
import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { lookup } from "node:dns/promises";
import { join } from "node:path";
import { hostOf } from "../../core/address/url.parts.ts";
import { readStanding } from "../release/links.ts";
import { askPorts, readToken } from "../readiness.ts";
import { readUnits } from "../system/index.ts";
import { running } from "./service.checks.ts";
import { figureOf, mostOf } from "../system/loopback.ts";
import { lastDrill, maintenanceOf } from "./data.checks.ts";
import type { HostView } from "./finding.ts";
import { askAt, systemRoots } from "./outside.ask.ts";
import { judgeCertificate, publicAddress } from "./outside.checks.ts";
import { rowsOf } from "./rows.ts";

/** What is not known, and why: of a part that is down the others still say what they can. */
export interface Unknown {
  readonly unknown: string;
}

const Backup = Type.Object({ file: Type.String(), modified_at: Type.String() });
const DeadJob = Type.Object({ id: Type.String() });

export type HostStatus = Awaited<ReturnType<typeof readStatus>>;

/** Reads how a host is, all parts side by side. Judges nothing: that is the check's. */
export async function readStatus(view: HostView) {
  const [standing, services, readiness, work, certificate, backup, drill, dead, disks, maintenance] = await Promise.all(
    [
      readStanding(view.places),
      readUnits(
        view.system,
        view.units.all.filter((unit) => unit.endsWith(".service")),
      ),
      readinessOf(view),
      workOf(view),
      certificateOf(view),
      backupOf(view),
      lastDrill(view),
      deadOf(view),
      disksOf(view),
      maintenanceOf(view),
    ],
  );
  return {
    app: view.app,
    url: publicAddress(view)?.origin ?? null,
    release: {
      current: standing.current ?? null,
      previous: standing.previous ?? null,
      unfinished: standing.unfinished?.to ?? null,
    },
    services: services.map(({ name, active, restarts, since }) => ({ unit: name, state: active, restarts, since })),
    readiness,
    maintenance: maintenance !== null && ("unknown" in maintenance ? maintenance : true),
    ...work,
    dead_letters: dead,
    certificate,
    backup,
    drill,
    disks,
  };
}

async function readinessOf(view: HostView) {
  const active = await running(view);
  const answers = await askPorts(active, await readToken(view.app, view.root));
  const ports = new Set(view.units.http.map(({ port }) => port));
  const down = [...ports].filter((port) => !active.some((each) => each.port === port));
  return [
    ...answers.map(({ port, ready, isPartly, reasons }) => ({ port, ready, partly: isPartly, reasons })),
    ...down.map((port) => ({ port, ready: false, partly: false, reasons: ["none of its instances runs"] })),
  ].toSorted((a, b) => a.port - b.port);
}

/** Reads the queue from any process that answers, and mails from all of them, each of which counts those that it sent. */
async function workOf({ units }: HostView) {
  let queue: { readonly waiting: number; readonly oldest_seconds: number } | Unknown = {
    unknown: "no process tells of it",
  };
  let [sent, failed] = [0, 0];
  for (const { port } of units.scraped) {
    const waiting = await figureOf(port, "queue_jobs_waiting");
    if (waiting === undefined) continue;
    queue = { waiting, oldest_seconds: (await mostOf(port, "queue_oldest_job_seconds")) ?? 0 };
    sent += (await figureOf(port, "mail_sends_total", 'status="ok"')) ?? 0;
    failed += (await figureOf(port, "mail_sends_total", 'status="failed"')) ?? 0;
  }
  return { queue, mails_since_start: { sent, failed } };
}

interface Certificate {
  readonly ends_at: string;
  readonly status: number;
  /** Why browsers refuse it, such as another name or an end that is over; else null. */
  readonly problem: string | null;
}

async function certificateOf(view: HostView): Promise<Certificate | Unknown> {
  const url = publicAddress(view);
  if (url === undefined) return { unknown: "there is no address" };
  try {
    const { address } = await lookup(hostOf(url));
    const { status, certificate } = await askAt(address, new URL("/-/ready", url), await systemRoots());
    if (certificate === undefined) return { unknown: `${url.origin} has none` };
    const { isForName, validFrom, validTo } = certificate;
    const isTaken = isForName && validFrom.getTime() <= Date.now() && validTo.getTime() > Date.now();
    const problem = isTaken ? undefined : judgeCertificate(url, certificate).find(({ level }) => level === "wrong");
    return { ends_at: validTo.toISOString(), status, problem: problem?.problem ?? null };
  } catch (error) {
    return { unknown: `${url.origin} does not answer: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function backupOf(view: HostView): Promise<{ readonly file: string; readonly made_at: string } | null | Unknown> {
  if (view.settings["DB_DRIVER"] === "postgres")
    return { unknown: "the programs of the PostgreSQL server make them, see PostgreSQL in the manual" };
  const disk = view.settings["BACKUP_DISK"];
  if (disk === undefined || disk === "") return { unknown: "BACKUP_DISK is not set" };
  const rows = await rowsOf(view, Backup, ["backup:list", "--disk", disk]);
  if (typeof rows === "string") return { unknown: rows };
  const newest = rows.toSorted((a, b) => Date.parse(b.modified_at) - Date.parse(a.modified_at))[0];
  return newest === undefined ? null : { file: newest.file, made_at: newest.modified_at };
}

async function deadOf(view: HostView): Promise<number | Unknown> {
  const rows = await rowsOf(view, DeadJob, ["queue:failed"]);
  return typeof rows === "string" ? { unknown: rows } : rows.length;
}

async function disksOf({ root, places }: HostView) {
  const folders = [join(root, "var/lib/gatehouse"), places.root].filter((folder) => existsSync(folder));
  return Promise.all(
    folders.map(async (folder) => {
      const { bavail, blocks, bsize } = await statfs(folder);
      return { folder, free_bytes: bavail * bsize, free_share: bavail / Math.max(blocks, 1) };
    }),
  );
}
