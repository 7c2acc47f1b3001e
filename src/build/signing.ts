import { rm } from "node:fs/promises";

/** The purpose that signatures state: `release:activate` accepts no other. */
const namespace = "gatehouse-release";

/**
 * Signs files as `ssh-keygen -Y sign` does, each with a `.sig` beside it. The key is the path of a private key, or of a public one whose
 * private key an agent holds. ssh-keygen asks for a passphrase itself.
 */
export async function signFiles(key: string, paths: readonly string[]): Promise<void> {
  if (Bun.which("ssh-keygen") === null) throw new Error("ssh-keygen is missing: install openssh-client");
  if (!(await Bun.file(key).exists())) throw new Error("--sign takes the path of a key, and no file is there");
  for (const path of paths) {
    // The old signature goes first: ssh-keygen would ask before it replaces one.
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
