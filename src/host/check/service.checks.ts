import { hostApps } from "../files/index.ts";
import { changedSince } from "../freshness.ts";
import { placesOf } from "../release/places.ts";
import { isTaken } from "../install/needs.ts";
import { askPorts, readToken } from "../readiness.ts";
import { databaseAdvice } from "../database.advice.ts";
import { note, wrong, type Found, type HostCheck, type HostView } from "./finding.ts";
import { readUnits, type UnitShown } from "../system/index.ts";

/** Whether every unit of the topology is enabled, loaded by systemd in its present form, and running the current release. */
export const unitCheck: HostCheck = async (view) => {
  const shown = await readUnits(view.system, view.units.all);
  const reload = shown.some(({ needsReload }) => needsReload)
    ? [wrong("units have changed since systemd read them", `systemctl daemon-reload, then ${view.app} release:restart`)]
    : [];
  return [...reload, ...(await Promise.all(shown.map((unit) => problemsOf(unit, view)))).flat()];
};

async function problemsOf(unit: UnitShown, view: HostView): Promise<readonly Found[]> {
  const { name, fileState, active } = unit;
  if (fileState === "masked") return [note(`${name} is masked`, `systemctl unmask ${name}`)];
  const isIdle = active === "inactive";
  const enabled =
    fileState === "enabled"
      ? []
      : [
          note(
            `${name} does not start with the host${isIdle ? ", and does not run" : ""}`,
            `systemctl enable ${isIdle ? "--now " : ""}${name}`,
          ),
        ];
  if (active === "active") return name.endsWith(".service") ? [...enabled, ...(await releaseOf(unit, view))] : enabled;
  if (fileState !== "enabled") return enabled;
  return [...enabled, await whyDown(unit, view)];
}

const linesRead = 20;
/** Journal lines that systemd writes at every start and end, whatever the reason. */
const ofAnyReason =
  /^(?:Start(?:ing|ed)|Stopp(?:ing|ed)|Failed to start) |: (?:Scheduled restart|Deactivated|Consumed|Main process|Failed with)\b/;

async function whyDown({ name, active, restarts }: UnitShown, { system }: HostView): Promise<Found> {
  if (active === "inactive") return wrong(`${name} was stopped`, `systemctl start ${name}`);
  const lines = await system.systemd.journal(name, { last: linesRead });
  const last = lines.findLast((line) => !ofAnyReason.test(line)) ?? lines.at(-1);
  const state = active === "activating" ? `does not stay up (${restarts} tries)` : `is ${active}`;
  return wrong(
    `${name} ${state}${last === undefined ? "" : `; its last line: ${last}`}`,
    `mend what it says (journalctl -u ${name}), then systemctl restart ${name}`,
  );
}

async function releaseOf({ name, pid }: UnitShown, view: HostView): Promise<readonly Found[]> {
  const { app, places, current, system } = view;
  const binary = await system.processes.executableOf(pid);
  if (current === undefined || binary === places.binaryOf(current)) return [];
  return [wrong(`${name} runs ${binary ?? "nothing"}, which is not the current release`, `${app} release:restart`)];
}

/** Finds processes that began before the last change of what they read when they start: they go on with the old. */
export const freshnessCheck: HostCheck = async ({ app, root, settings, system, units }) => {
  const changed = await changedSince({ app, root, settings, system, units });
  if (changed.length === 0) return [];
  const what = changed.join(" and ");
  return [note(`services run with the ${what} from before their last change`, `${app} release:restart`)];
};

/** Returns the instances that run. At the port of another anybody might answer, who must not get the token. */
export async function running({
  system,
  units,
}: Pick<HostView, "system" | "units">): Promise<HostView["units"]["http"]> {
  const shown = new Map((await readUnits(system, units.all)).map((unit) => [unit.name, unit]));
  return units.http.filter(({ unit }) => shown.get(unit)?.active === "active");
}

/** Finds services that are down because another program has their port. */
export const portCheck: HostCheck = async (view) => {
  const up = new Set((await running(view)).map(({ port }) => port));
  const found: Found[] = [];
  for (const port of new Set(view.units.http.map(({ port }) => port)))
    if (!up.has(port) && (await isTaken(port)))
      found.push(
        wrong(`port ${port} is taken by another program`, `ss -ltnp 'sport = :${port}' says by which; stop it`),
      );
  return found;
};

/** Reports what the instances say about their own readiness. */
export const readinessCheck: HostCheck = async (view) => {
  const { app, root } = view;
  const active = await running(view);
  const token = await readToken(app, root);
  const found: Found[] = [];
  for (const { port, ready, isPartly, reasons } of await askPorts(active, token)) {
    const said = reasons.join("; ");
    const where = isPartly ? `one of the instances at port ${port}` : `port ${port}`;
    if (!ready) found.push(wrong(`${where} is not ready: ${said}`, await readinessAdvice(view, reasons)));
    else if (said !== "") found.push(note(`${where} is ready without ${said}`, `journalctl -u '${app}-*'`));
  }
  return found;
};

/** Says what mends an instance that is not ready. Programs of others that hold the database are named. */
async function readinessAdvice({ app, root, settings, system }: HostView, reasons: readonly string[]): Promise<string> {
  const file = settings["DB_DATABASE"] ?? "";
  // What another part fails with is no matter of the database, though it may sound alike.
  const said = reasons.find((reason) => reason.startsWith("db ")) ?? "";
  if (!said.includes("held the write lock") || file === "")
    return databaseAdvice(said) ?? `mend what it says; journalctl -u '${app}-*'`;
  const holders: string[] = [];
  for (const pid of await system.processes.holdersOf(file)) {
    const program = await system.processes.executableOf(pid);
    const isOurs = hostApps.some((each) => program?.startsWith(`${placesOf(each, root).root}/`));
    if (program !== undefined && !isOurs) holders.push(`${program} (pid ${pid})`);
  }
  return holders.length > 0
    ? `end what has it open besides Gatehouse: ${holders.join(", ")}`
    : `a command may be at it: systemctl list-units '${app}-command-*'`;
}
