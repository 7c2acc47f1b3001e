import { rm } from "node:fs/promises";

/** What signatures are made for: `release:activate` takes no others. */
const namespace = "gatehouse-release";

/**
 * Signs files as `ssh-keygen -Y sign` does, each beside itself as `.sig`. The key is the path of a private key, or of a public one
 * whose private key an agent holds. ssh-keygen asks for a passphrase itself.
 */
export async function signFiles(key: string, paths: readonly string[]): Promise<void> {
  if (Bun.which("ssh-keygen") === null) throw new Error("ssh-keygen is missing: install openssh-client");
  if (!(await Bun.file(key).exists())) throw new Error("--sign takes the path of a key, and no file is there");
  for (const path of paths) {
    // ssh-keygen asks before it replaces a signature.
    await rm(`${path}.sig`, { force: true });
    const signed = Bun.spawnSync({
      cmd: ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", key, path],
      stdin: "inherit",
      stdout: "pipe",
      stderr: "pipe",
    });
    if (!signed.success) throw new Error(`ssh-keygen could not sign ${path}: ${signed.stderr.toString().trim()}`);
  }
}
