import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:net";
import { release } from "node:os";
import { checksumOf, readChecksum } from "../release/beside.ts";
import { HostFailure, kernelCode, requireRoot, type System } from "../system/index.ts";

const again = "then run this again";
/** The first Linux that hands waiting connections over between instances that share a port. */
const oldestKernel = [5, 14] as const;
export const bus = "/run/dbus/system_bus_socket";

/** What an installation needs of a host. Each throws where the host lacks it; nothing has been written yet. */
export const hostNeeds: readonly ((system: System) => Promise<void>)[] = [
  async (system) => requireRoot(system),
  ({ systemd }) => systemd.check(),
  async () => {
    if (!existsSync(bus)) throw new HostFailure("D-Bus does not run on this host", `apt-get install dbus, ${again}`);
  },
  async () => {
    const problem = kernelProblem(release());
    if (problem !== undefined) throw new HostFailure(problem, "upgrade to Debian 12, Ubuntu 24.04 or later");
  },
];

export function kernelProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  const isNew = major > oldestKernel[0] || (major === oldestKernel[0] && minor >= oldestKernel[1]);
  return isNew
    ? undefined
    : `this host runs Linux ${version}, and the services need ${oldestKernel.join(".")} or later`;
}

/** Returns the digest of the binary. Throws if it differs from the one in the file beside it. */
export async function checkedDigest(binary: string, app: string): Promise<string> {
  const copyAgain = "copy the binary and its .sha256 from the build, side by side";
  const expected = await readChecksum(binary, app, `${copyAgain}, ${again}`);
  const digest = await checksumOf(binary);
  if (expected === digest) return digest;
  throw new HostFailure(`the SHA-256 of ${binary} is not the one in ${binary}.sha256`, `${copyAgain}, ${again}`);
}

const marginBytes = 32 * 1024 * 1024;

/** Throws if the release would not fit below the folder, or below its nearest existing parent. */
export async function checkRoom(system: System, folder: string, binary: string): Promise<void> {
  let there = folder;
  while (!existsSync(there)) there = there.replace(/\/[^/]*$/, "") || "/";
  const [{ size }, free] = await Promise.all([stat(binary), system.disk.freeBytes(there)]);
  const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;
  if (free < size + marginBytes)
    throw new HostFailure(
      `the disk of ${there} has ${inMebibytes(free)} free, and the release takes ${inMebibytes(size + marginBytes)}`,
      `make room there, ${again}`,
    );
}

export async function checkPorts(ports: readonly number[]): Promise<void> {
  for (const port of ports)
    if (await isTaken(port))
      throw new HostFailure(
        `port ${port} is taken by another program`,
        `see which (ss -ltnp 'sport = :${port}') and stop it, or choose another port in /etc/gatehouse/gatehouse.env, ${again}`,
      );
}

/** Whether a program listens on the port, at the loopback address or at all addresses. */
export function isTaken(port: number): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once("error", (error) => {
    if (kernelCode(error) === "EADDRINUSE") resolve(true);
    else reject(error);
  });
  server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(false)));
  return promise;
}
