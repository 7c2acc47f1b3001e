import { join } from "node:path";
import { readSettings, settingsPath } from "../files/settings.ts";
import type { HostApp } from "../files/index.ts";
import { hostUnits, type HostUnits } from "../files/topology.ts";
import type { InstallOptions } from "../install/plan.ts";
import { readRecord, recordPath } from "../install/record.ts";
import { readIfThere } from "../install/settings.plan.ts";
import { placesOf, releaseAt } from "../release/places.ts";
import { HostFailure, requireRoot, type System } from "../system/index.ts";
import { dataCheck, databaseCheck, maintenanceCheck, proxyCheck } from "./data.checks.ts";
import { fileCheck, lineCheck, presenceCheck, secretCheck } from "./file.checks.ts";
import { wrong, type Finding, type HostCheck, type HostView } from "./finding.ts";
import { clockCheck, kernelCheck, roomCheck, systemdCheck, userCheck } from "./machine.checks.ts";
import { outsideCheck, publicAddress } from "./outside.checks.ts";
import { programCheck } from "./program.checks.ts";
import { relayCheck, relayOf } from "./relay.checks.ts";
import { environmentCheck, releaseCheck } from "./release.checks.ts";
import { freshnessCheck, portCheck, readinessCheck, unitCheck } from "./service.checks.ts";

/** The order in which findings are best mended: an earlier one may cause a later one. */
const checks: Readonly<Record<string, HostCheck>> = {
  systemd: systemdCheck,
  kernel: kernelCheck,
  user: userCheck,
  clock: clockCheck,
  disk: roomCheck,
  files: fileCheck,
  presence: presenceCheck,
  lines: lineCheck,
  secrets: secretCheck,
  data: dataCheck,
  release: releaseCheck,
  settings: environmentCheck,
  database: databaseCheck,
  ports: portCheck,
  services: unitCheck,
  freshness: freshnessCheck,
  readiness: readinessCheck,
  maintenance: maintenanceCheck,
  proxy: proxyCheck,
  outside: outsideCheck,
  relay: relayCheck,
  programs: programCheck,
};

/** Checks that fail whenever one of the named checks does: they would only repeat it in other words, and are skipped. */
const rests: Readonly<Record<string, readonly string[]>> = {
  settings: ["presence"],
  database: ["presence", "settings"],
  maintenance: ["presence", "settings"],
  programs: ["presence", "settings", "database"],
  outside: ["presence"],
  relay: ["presence", "settings"],
};

interface CheckOptions extends Pick<HostView, "system" | "app" | "judgeLines">, Pick<InstallOptions, "secrets"> {
  readonly root?: string;
}

export type HostReport = Awaited<ReturnType<typeof checkInstalled>>;

/** Checks everything that a host needs. Changes nothing. */
export async function checkInstalled({ root = "/", ...options }: CheckOptions) {
  const view = await lookAtHost({ ...options, root });
  const findings: Finding[] = [];
  const checked: string[] = [];
  for (const [check, run] of Object.entries(checks)) {
    if (rests[check]?.some((on) => findings.some((found) => found.check === on && found.level === "wrong"))) continue;
    checked.push(check);
    for (const found of await run(view).catch((error: unknown) => [unchecked(error)]))
      findings.push({ check, ...found });
  }
  const relay = relayOf(view);
  const outside = [
    ...(checked.includes("outside") ? [publicAddress(view)?.origin] : []),
    ...(checked.includes("relay") && relay !== undefined ? [`the relay ${relay.host}:${relay.port}`] : []),
  ].filter((each) => each !== undefined);
  return { release: view.current, checked, outside, findings };
}

const unchecked = (error: unknown) =>
  error instanceof HostFailure
    ? wrong(error.message, error.advice)
    : wrong(`this could not be looked at: ${error instanceof Error ? error.message : String(error)}`, "mend that");

/** Adds the instances that an operator has started beside those of the topology: they serve as the others do. */
async function withMore(system: System, app: HostApp, units: HostUnits): Promise<HostUnits> {
  const states = ["active", "activating", "reloading", "failed"];
  const found = await system.systemd.list([`${app}-api@*.service`], states).catch(() => []);
  const more = found.flatMap((unit) => {
    const name = /@(\w+)\.service$/.exec(unit)?.[1];
    if (name === undefined || units.all.includes(unit)) return [];
    const usual = units.http[0]?.port ?? 0;
    const isShared = units.http.filter(({ port }) => port === usual).length > 1;
    return [{ unit, port: isShared || !/^\d{2,5}$/.test(name) ? usual : Number(name) }];
  });
  const http = [...units.http, ...more];
  return {
    ...units,
    all: [...units.all, ...more.map(({ unit }) => unit)],
    http,
    ports: [...new Set([...units.ports, ...more.map(({ port }) => port)])],
  };
}

/** Reads what an installation says of itself. Throws a HostFailure where there is none, or nobody may read it. */
export async function lookAtHost({ system, app, root = "/", secrets, judgeLines }: CheckOptions): Promise<HostView> {
  requireRoot(system);
  const record = await readRecord(join(root, recordPath(app)));
  if (record === undefined)
    throw new HostFailure(
      `${app} is not installed on this host by host:install`,
      `run ./${app} host:install --url https://auth.example.com with your own address`,
    );
  const settings = readSettings((await readIfThere(join(root, settingsPath))) ?? "");
  const { topology } = record;
  const places = placesOf(app, root);
  const current = await releaseAt(places, "current");
  return {
    system,
    app,
    root,
    topology,
    settings,
    record,
    units: await withMore(system, app, hostUnits(app, topology, settings)),
    places,
    current,
    secrets: secrets(settings),
    judgeLines,
  };
}
