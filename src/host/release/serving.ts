import type { Listener, System } from "../system/index.ts";

/** The answer that an instance must give before it counts as serving. */
export interface Smoke {
  readonly path: string;
  readonly status: number;
}

/** Whether an instance serves. In maintenance the smoke request can't be tried, and readiness alone decides. */
export type Answer = "serves" | "maintenance" | "no";

type Asked = Pick<System, "processes" | "openInstance">;

const mostConnections = 100;
const maintenance = /"code": ?"maintenance"/;
const metricsPort = /^(?:ADMIN_)?METRICS_HTTP_PORT$/;

/**
 * Asks one process whether it serves. If processes share a port, the kernel chooses which one gets a connection: new ones are opened until
 * that process has one, and the answer of any other process is ignored.
 */
export async function askProcess(pid: number, smoke: Smoke, system: Asked): Promise<Answer> {
  const place = await placeOf(pid, system);
  if (place === undefined) return "no";
  for (let attempt = 0; attempt < mostConnections; attempt += 1) {
    const answer = await askOnce(pid, place, smoke, system);
    if (answer !== "another") return answer;
  }
  return "no";
}

/** Returns where the process serves requests, ignoring the port of its metrics. */
async function placeOf(pid: number, { processes }: Asked): Promise<Listener | undefined> {
  try {
    const metrics = [...(await processes.environmentOf(pid))]
      .filter(([name]) => metricsPort.test(name))
      .map(([, port]) => Number(port));
    return (await processes.listenersOf(pid)).find(({ port }) => !metrics.includes(port));
  } catch {
    // The process has ended.
    return undefined;
  }
}

async function connectTo({ hosts, port }: Listener, { openInstance }: Asked) {
  for (const host of hosts) {
    const connection = await openInstance(host, port).catch(() => undefined);
    if (connection !== undefined) return connection;
  }
  return undefined;
}

async function askOnce(pid: number, place: Listener, smoke: Smoke, system: Asked): Promise<Answer | "another"> {
  const connection = await connectTo(place, system);
  if (connection === undefined) return "no";
  try {
    const ready = await connection.get("/-/ready").catch(() => undefined);
    // Before the answer, the connection may still be in the queue that the processes share.
    if (!(await system.processes.hasConnection(pid, place.port, connection.localPort))) return "another";
    if (ready?.status !== 200) return "no";
    const { status, body } = await connection.get(smoke.path);
    if (status === 503 && maintenance.test(body)) return "maintenance";
    return status === smoke.status ? "serves" : "no";
  } catch {
    // The connection broke off in the middle of an answer.
    return "no";
  } finally {
    connection.close();
  }
}
