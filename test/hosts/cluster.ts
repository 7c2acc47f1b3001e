import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { Role } from "../../src/app/definition.ts";
import { createClient } from "../support/client.ts";
import { testEnvironment } from "../support/environment.ts";
import { eventually } from "../support/log.ts";
import { runGatehouse, type CommandResult } from "../support/process.ts";
import { whyNoProxy } from "../support/proxy.ts";
import { startMailbox } from "../support/smtp.ts";
import { startTarget, type Target } from "../support/target.ts";
import { startData, whyNoData } from "./data.ts";
import { startHostsProxy } from "./hosts.proxy.ts";
import { hostNames, httpPort, layNetwork, whyNoNetwork, type HostName, type Network } from "./network.ts";

const example = join(import.meta.dir, "..", "..", "systemd", "gatehouse.hosts.env.example");

/** Returns what this machine lacks for two hosts; undefined if nothing. */
export const whyNoHosts = (): string | undefined => whyNoNetwork() ?? whyNoProxy("haproxy") ?? whyNoData();

const rolesOfHost = ["http", "worker", "scheduler"] as const satisfies readonly Role[];
type Processes = Record<Role, Target>;

/** Starts two hosts with a process for each role, on one database and one Redis, behind one proxy, set up as in systemd/. */
export async function raiseCluster(settingsOn: (network: Network) => Readonly<Record<string, string>>) {
  const network = await layNetwork(hostNames);
  const settings = settingsOn(network);
  const data = await startData(network);
  const mailbox = await startMailbox({}, network.outside("front"));
  const proxy = await startHostsProxy(network, data);
  const { STORAGE_PATH: _, ...shared } = parseEnv(await Bun.file(example).text());

  /** The environment of both hosts. */
  const environment: Record<string, string> = {
    ...shared,
    APP_ENV: "testing",
    APP_DRAIN_DELAY: "1s",
    API_HTTP_PORT: String(httpPort),
    API_TRUSTED_PROXIES: `${network.address("data", "front")}/32`,
    DB_URL: data.urlOfHosts(),
    REDIS_URL: data.redisUrl,
    MAIL_SMTP_HOST: network.outside("front"),
    MAIL_SMTP_PORT: String(mailbox.port),
    MAIL_SMTP_TLS: "off",
    ...settings,
  };
  const start = (host: HostName, role: Role, other: Readonly<Record<string, string>> = {}): Promise<Target> => {
    const options = { roles: [role], ownProcess: true, migrate: false, shared: true } as const;
    return startTarget({ ...options, env: { ...environment, ...other }, within: network.within(host) });
  };
  const startHost = async (host: HostName): Promise<Processes> => {
    const [http, worker, scheduler] = await Promise.all(rolesOfHost.map((role) => start(host, role)));
    if (http === undefined || worker === undefined || scheduler === undefined) throw new Error("a role is missing");
    return { http, worker, scheduler };
  };
  const command = (host: HostName, ...args: readonly string[]): Promise<CommandResult> =>
    runGatehouse(args, {
      cwd: "/",
      env: { ...testEnvironment(tmpdir()), ...environment },
      within: network.within(host),
    });

  const migrated = await command("one", "migrate");
  if (migrated.code !== 0) throw new Error(`migrate ended with ${migrated.code}: ${migrated.stderr}`);
  const [one, two] = await Promise.all(hostNames.map(startHost));
  if (one === undefined || two === undefined) throw new Error("a host is missing");
  const hosts: Record<HostName, Processes> = { one, two };
  const isReady = async (at: string): Promise<boolean> => {
    try {
      return (await createClient(at).get("/-/ready")).status === 200;
    } catch {
      return false;
    }
  };
  const untilServing = (host: HostName): Promise<void> =>
    eventually(`${host} behind the proxy`, () => proxy.passesTo(host));
  await Promise.all(hostNames.map(untilServing));

  return {
    network,
    data,
    mailbox,
    hosts,
    proxy,
    /** The URL of the proxy, for clients. */
    url: proxy.url,
    /** Where people come in. */
    doors: [proxy.url],
    /** Returns the URL of a single host. */
    urlOf: (host: HostName): string => `http://${network.address(host, "front")}:${httpPort}`,
    isReady,
    untilServing,
    command,
    /** Starts a process in place of a stopped one. */
    async begin(host: HostName, role: Role, other: Readonly<Record<string, string>> = {}): Promise<void> {
      hosts[host][role] = await start(host, role, other);
    },
    async stop(): Promise<void> {
      const processes = hostNames.flatMap((host) => Object.values(hosts[host]));
      await Promise.all(processes.map((target) => target.stop()));
      await Promise.all([proxy.stop(), mailbox.stop(), data.stop()]);
      await network.close();
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof raiseCluster>>;
