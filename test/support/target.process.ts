import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Role } from "../../src/app/definition.ts";
import { runGatehouse, spawnGatehouse } from "./process.ts";
import type { StartedTarget, StartOptions } from "./target.ts";

const startLimitMs = 60_000;
const stopLimitMs = 30_000;

const commandOf = (roles: readonly Role[]): string => {
  const [only, ...others] = roles;
  if (only === undefined || others.length > 0) return "run";
  return only === "http" ? "api" : only;
};

/** Starts Gatehouse as a separate process, with only the given environment. */
export async function startProcess({ app, env, roles, migrate, folder, within }: StartOptions): Promise<StartedTarget> {
  if (!migrate) await provideEmptyFile(env);
  if (migrate) {
    const { code, stderr } = await runGatehouse(["migrate", "--create"], { app, cwd: folder, env, within });
    if (code !== 0) throw new Error(`migrate ended with ${code}: ${stderr}`);
  }
  const child = spawnGatehouse([commandOf(roles)], { app, cwd: folder, env, within });
  const output: string[] = [];
  const started = Promise.withResolvers<void>();
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output.push(decoder.decode(chunk, { stream: true }));
      if (output.join("").includes('"message":"started"')) started.resolve();
    }
  };
  const finished = Promise.all([read(child.stdout), read(child.stderr), child.exited]);
  void finished.then(() => started.reject(new Error(`ended with ${child.exitCode}: ${output.join("")}`)));
  const limit = setTimeout(() => started.reject(new Error(`not started in time: ${output.join("")}`)), startLimitMs);
  try {
    await started.promise;
  } catch (error) {
    child.kill("SIGKILL");
    await finished;
    throw error;
  } finally {
    clearTimeout(limit);
  }
  const url = /"message":"listening"[^\n]*?"url":"([^"]+)"/.exec(output.join(""))?.[1]?.replace(/\/$/, "") ?? "";

  return {
    url,
    port: url === "" ? 0 : Number(new URL(url).port),
    pid: child.pid,
    logs: () => output.join(""),
    async stop() {
      const stopLimit = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
      child.kill("SIGTERM");
      await finished;
      clearTimeout(stopLimit);
      return child.exitCode ?? 137;
    },
    async kill() {
      child.kill("SIGKILL");
      await finished;
    },
  };
}

/** Makes an empty file, unless one exists: a start makes no database, and an empty file is a database without migrations. */
export async function provideEmptyFile(env: Readonly<Record<string, string>>): Promise<void> {
  const path = env["DB_DATABASE"];
  if (path === undefined || env["DB_DRIVER"] === "postgres" || existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "");
}
