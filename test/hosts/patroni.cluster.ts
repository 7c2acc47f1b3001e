import { mailTo } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { eventually } from "../support/log.ts";
import { whyNoProxy } from "../support/proxy.ts";
import { startMailbox } from "../support/smtp.ts";
import { startTarget } from "../support/target.ts";
import { layNetwork, whyNoNetwork } from "./network.ts";
import { memberNames, startPatroni, whyNoPatroni, type MemberName, type PatroniOptions } from "./patroni.ts";
import { startPatroniProxy } from "./patroni.proxy.ts";

/** Returns what this machine lacks for servers under Patroni; undefined if nothing. */
export const whyNoPatroniCluster = (): string | undefined => whyNoNetwork() ?? whyNoProxy("haproxy") ?? whyNoPatroni();

/** Starts three servers under Patroni, the proxy before them, and two instances of Gatehouse that reach them through it. */
export async function raisePatroniCluster(settings: Readonly<Record<string, string>>, options: PatroniOptions) {
  const network = await layNetwork(memberNames);
  const [patroni, proxy, mailbox] = [
    await startPatroni(network, options),
    await startPatroniProxy(network),
    await startMailbox(),
  ];
  await patroni.start();
  const at = `postgres://gatehouse:${patroni.password}@${network.data("proxy")}:${proxy.port}/gatehouse`;
  const env = {
    ...settings,
    ...mailTo(mailbox),
    DB_DRIVER: "postgres",
    DB_URL: `${at}?sslmode=verify-full&sslrootcert=${patroni.certFile}`,
    APP_URL: "http://127.0.0.1:3000",
  };
  const start = (migrate: boolean) => startTarget({ env, ownProcess: true, migrate, shared: true });
  const instances = [await start(true), await start(false)];
  const token = instances[0]?.env["APP_DIAG_TOKEN"] ?? "";
  const readiness = (url: string) =>
    createClient(url)
      .get("/-/ready", { headers: { authorization: `Bearer ${token}` } })
      .catch(() => undefined);
  const isReady = async (url: string): Promise<boolean> => (await readiness(url))?.status === 200;
  const doors = instances.map(({ url }) => url);
  const isRestored = async (): Promise<boolean> => (await Promise.all(doors.map(isReady))).every((each) => each);
  await eventually("both instances to be ready", isRestored);

  const logs = (): readonly string[] => instances.map((instance) => instance.logs());
  let isolated: MemberName | undefined;
  const route = (name: MemberName, change: "add" | "del", address: string): void => {
    const command = [...network.within(name), "ip", "route", change, "blackhole", address];
    const { success, stderr } = Bun.spawnSync({ cmd: command, stderr: "pipe" });
    if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  };

  return {
    network,
    patroni,
    mailbox,
    doors,
    data: { url: () => at },
    isReady,
    isRestored,
    /** Resolves to what readiness tells the operator of what fails, at any instance. */
    async reasons(): Promise<readonly string[]> {
      const answers = await Promise.all(doors.map(readiness));
      return answers.flatMap((answer) => {
        const checks: unknown = answer?.at("checks");
        return Array.isArray(checks)
          ? checks.flatMap((check: unknown) => {
              const { type = "", error } = Object(check);
              return error === undefined ? [] : [`${String(type)}: ${String(error)}`];
            })
          : [];
      });
    },
    logs,
    /** The number of lines that each instance has logged. */
    lines: (): readonly number[] => logs().map((log) => log.split("\n").length),
    /** Cuts that member off from etcd and the other members. Clients go on to reach it. */
    isolate(name: MemberName): void {
      isolated = name;
      for (const address of patroni.othersOf(name)) route(name, "add", address);
    },
    /** Brings the member back that was cut off or isolated. */
    rejoin(): void {
      if (isolated !== undefined) for (const address of patroni.othersOf(isolated)) route(isolated, "del", address);
      isolated = undefined;
      for (const name of memberNames) network.reconnect(name);
    },
    async stop(): Promise<void> {
      await Promise.all(instances.map((instance) => instance.stop()));
      await Promise.all([proxy.stop(), mailbox.stop(), patroni.stop()]);
      await network.close();
    },
  };
}

export type PatroniCluster = Awaited<ReturnType<typeof raisePatroniCluster>>;
