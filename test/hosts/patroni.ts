import { SQL } from "bun";
import { closeSync, openSync, rmSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "../support/certificate.ts";
import { eventually } from "../support/log.ts";
import { asPostgres, postgresMissing, postgresPrograms } from "../support/postgres.ts";
import { replaceEach } from "../support/proxy.ts";
import type { Network } from "./network.ts";

/** The servers, as the example of Patroni names them: each is a host with a Postgres and the Patroni that looks after it. */
export const memberNames = ["alpha", "beta", "gamma"] as const;
export type MemberName = (typeof memberNames)[number];
const etcdNames = ["etcd1", "etcd2", "etcd3"] as const;
type Etcd = (typeof etcdNames)[number];

const programs = ["patroni", "patronictl", "etcd"];
const example = join(import.meta.dir, "..", "..", "systemd", "postgres", "patroni.yml");
const askLimitMs = 1_000;
const startLimitMs = 180_000;
const password = "secret";

export function whyNoPatroni(): string | undefined {
  const missing = programs.filter((program) => Bun.which(program) === null);
  return missing.length > 0 ? missing.join(", ") : postgresMissing;
}

type Child = Bun.Subprocess<"ignore", number, number>;

interface Member {
  readonly address: string;
  readonly folder: string;
  patroni: Child | undefined;
}

export interface PatroniOptions {
  /** Whether Patroni waits as long as it does where no setting says so. */
  readonly isUsual: boolean;
}

/** What Patroni says of a member. */
type Told = Readonly<Record<string, unknown>>;

/** Starts three servers as the example has them. */
export async function startPatroni(network: Network<MemberName>, { isUsual }: PatroniOptions) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-patroni-"));
  const { certFile, keyFile } = makeCertificate(folder, `IP:${network.data("proxy")}`);
  const quick = await Bun.file(example).text();
  const text = isUsual
    ? replaceEach(quick, [
        [/ttl: .*/, "ttl: 30"],
        [/loop_wait: .*/, "loop_wait: 10"],
        [/retry_timeout: .*/, "retry_timeout: 10"],
      ])
    : quick;
  const addresses = memberNames.map((name) => network.address(name, "back"));
  const members = new Map<MemberName, Member>();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const memberOf = (name: MemberName): Member => {
    const member = members.get(name);
    if (member === undefined) throw new Error(`no ${name}`);
    return member;
  };
  const run = (place: MemberName | "data", program: string, command: readonly string[]): Child => {
    const log = openSync(join(folder, `${program}.log`), "a");
    const child = Bun.spawn([...network.within(place), ...command], {
      cwd: folder,
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" },
      stdin: "ignore",
      stdout: log,
      stderr: log,
    });
    closeSync(log);
    return child;
  };
  const configFile = (name: MemberName): string => join(memberOf(name).folder, "config.yml");

  for (const [index, name] of memberNames.entries()) {
    const place = join(folder, name);
    await mkdir(place);
    const address = addresses[index] ?? "";
    members.set(name, { address, folder: place, patroni: undefined });
    await Bun.write(join(place, "gatehouse.pem"), Bun.file(certFile));
    await Bun.write(join(place, "gatehouse.key"), Bun.file(keyFile));
    await chmod(join(place, "gatehouse.key"), 0o600);
    await Bun.write(configFile(name), configurationOf(text, { name, address, addresses, folder: place, network }));
  }
  await chmod(folder, 0o711);
  Bun.spawnSync(["chown", "-R", "postgres:", ...memberNames.map((name) => join(folder, name))]);

  const startEtcd = (name: Etcd): Child => {
    const at = (each: Etcd, port: number): string => `http://${network.data(each)}:${port}`;
    return run("data", name, [
      "etcd",
      `--name=${name}`,
      `--data-dir=${join(folder, name)}`,
      `--listen-peer-urls=${at(name, 2380)}`,
      `--initial-advertise-peer-urls=${at(name, 2380)}`,
      `--listen-client-urls=${at(name, 2379)}`,
      `--advertise-client-urls=${at(name, 2379)}`,
      `--initial-cluster=${etcdNames.map((each) => `${each}=${at(each, 2380)}`).join(",")}`,
    ]);
  };
  const etcds: Child[] = [];
  /** In a namespace of processes, which the kernel ends with the first of them, whatever Patroni has started there. */
  const startMember = (name: MemberName): void => {
    const apart = ["unshare", "--pid", "--fork", "--mount-proc", ...asPostgres, "setpriv", "--pdeathsig=KILL", "--"];
    memberOf(name).patroni = run(name, name, [...apart, "patroni", configFile(name)]);
  };
  const ask = async (name: MemberName, path: string): Promise<Response | undefined> => {
    const options = { signal: AbortSignal.timeout(askLimitMs), keepalive: false };
    return fetch(`http://${memberOf(name).address}:8008/${path}`, options).catch(() => undefined);
  };
  const primary = async (): Promise<MemberName | undefined> => {
    const answers = await Promise.all(memberNames.map((name) => ask(name, "primary")));
    return memberNames.find((_, index) => answers[index]?.status === 200);
  };
  /** Resolves to what the primary says at that path; none while there is no primary. */
  async function told(path: string, list: string): Promise<readonly Told[]> {
    const name = await primary();
    const answer = name === undefined ? undefined : await ask(name, path);
    const body: unknown = await answer?.json().catch(() => undefined);
    const listed: unknown = Reflect.get(Object(body), list);
    return Array.isArray(listed) ? listed.map((each: unknown) => Object.fromEntries(Object.entries(Object(each)))) : [];
  }
  const syncStandby = async (): Promise<string | undefined> =>
    (await told("cluster", "members")).find(({ role }) => role === "sync_standby")?.["name"]?.toString();
  /** Waits until both standbys follow the primary, and one of them has each commit before it is acknowledged. */
  const untilWhole = (): Promise<void> =>
    eventually(
      "a primary with two standbys",
      async () => {
        const followers = await told("patroni", "replication");
        const following = followers.filter(({ state }) => state === "streaming").length;
        // One that streams may still be on its way to where it can be read, and is of no use before.
        const usable = await Promise.all(memberNames.map((name) => ask(name, "replica")));
        const standbys = usable.filter((answer) => answer?.status === 200).length;
        return following === 2 && standbys === 2 && (await syncStandby()) !== undefined;
      },
      startLimitMs,
    );
  async function leader(): Promise<MemberName> {
    const name = await primary();
    if (name === undefined) throw new Error("there is no primary");
    return name;
  }
  /** Lets the operator's command hand over to the standby that has every commit. */
  async function switchOver(from: MemberName): Promise<void> {
    const to = (await syncStandby()) ?? "";
    const handOver = ["switchover", "--leader", from, "--candidate", to, "--force"];
    const child = Bun.spawn([...network.within(from), "patronictl", "-c", configFile(from), ...handOver], {
      stdout: "pipe",
      stderr: "pipe",
      timeout: startLimitMs,
    });
    const [told, complaint] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    if ((await child.exited) !== 0) throw new Error(`no switchover to ${to}: ${told}${complaint}`);
  }

  return {
    certFile,
    password,
    primary,
    leader,
    untilWhole,
    switchOver,
    async start(): Promise<void> {
      etcds.push(...etcdNames.map(startEtcd));
      memberNames.forEach(startMember);
      await untilWhole().catch(async (error: unknown) => {
        const logs = memberNames.map((name) => Bun.file(join(folder, `${name}.log`)).text());
        throw new Error((await Promise.all(logs)).join("\n"), { cause: error });
      });
      await using sql = new SQL(`postgres://postgres:${password}@${memberOf(await leader()).address}:5432/postgres`, {
        max: 1,
      });
      await sql.unsafe(`create role gatehouse login password '${password}'`);
      await sql.unsafe("create database gatehouse owner gatehouse");
    },
    /** Ends Patroni and Postgres of a member by SIGKILL, all at once. */
    async kill(name: MemberName): Promise<void> {
      memberOf(name).patroni?.kill("SIGKILL");
      await memberOf(name).patroni?.exited;
      memberOf(name).patroni = undefined;
    },
    /** Starts Patroni where it was killed. It makes a standby of what it finds. */
    revive(): void {
      for (const name of memberNames) if (memberOf(name).patroni === undefined) startMember(name);
    },
    /** The addresses of all that Patroni of that member talks to. */
    othersOf: (name: MemberName): readonly string[] => [
      ...etcdNames.map((each) => network.data(each)),
      ...memberNames.filter((each) => each !== name).map((each) => memberOf(each).address),
    ],
    async stop(): Promise<void> {
      const children = [...etcds, ...members.values().map(({ patroni }) => patroni)];
      for (const child of children) child?.kill("SIGKILL");
      await Promise.all(children.map((child) => child?.exited));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Whose {
  readonly name: MemberName;
  readonly address: string;
  readonly addresses: readonly string[];
  readonly folder: string;
  readonly network: Network<MemberName>;
}

/** Returns the example with what is a member's own, and with access for this machine, which looks into the database. */
function configurationOf(text: string, { name, address, addresses, folder, network }: Whose): string {
  const own = replaceEach(text, [
    ["name: alpha\n", `name: ${name}\nnamespace: /test\n`],
    [/(?<=(?:listen|connect_address): )10\.0\.0\.21/g, address],
    [/10\.0\.0\.10:2379.*/, etcdNames.map((each) => `${network.data(each)}:2379`).join(",")],
    [/10\.0\.0\.21/g, addresses[0] ?? ""],
    [/10\.0\.0\.22/g, addresses[1] ?? ""],
    [/10\.0\.0\.23/g, addresses[2] ?? ""],
    ["10.0.0.10/32", `${network.data("proxy")}/32`],
    ["/var/lib/postgresql/15/gatehouse", join(folder, "data")],
    ["/usr/lib/postgresql/15/bin", `"${postgresPrograms}"`],
    ["/var/lib/postgresql/patroni.pgpass", join(folder, "pgpass")],
    ["/var/run/postgresql", folder],
    ["/etc/patroni/gatehouse.pem", join(folder, "gatehouse.pem")],
    ["/etc/patroni/gatehouse.key", join(folder, "gatehouse.key")],
    ["PASSWORD-OF-POSTGRES", password],
    ["PASSWORD-OF-REPLICATOR", password],
  ]);
  const outside = ["postgres", "gatehouse"].map(
    (user) => `    - host all ${user} ${network.outside("back")}/32 scram-sha-256`,
  );
  return `${own}${outside.join("\n")}\n    - host gatehouse gatehouse ${network.data("proxy")}/32 scram-sha-256\n`;
}
