import { lstat, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HostFailure, ifThere, type System } from "../system/index.ts";
import type { Places } from "./places.ts";

/** The purpose that a release's signature must state, so that a signature for anything else is invalid: see ssh-keygen(1), -Y. */
const namespace = "gatehouse-release";
const otherWriters = 0o022;
const publicKey = /^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-\S+ \S+/;

interface SignatureOptions {
  readonly system: Pick<System, "run" | "disk">;
  readonly places: Places;
  /** The copy that will run; `signature` is the copy of its signature. */
  readonly binary: string;
  readonly signature: string;
}

/** Whether releases must be signed on this host. Throws if others could have written the file of allowed keys. */
export async function needsSignature(places: Places): Promise<boolean> {
  const found = await ifThere(lstat(places.key));
  if (found === undefined) return false;
  const folder = dirname(places.key);
  if (!found.isFile() || isOthers(found)) throw notRoots(places.key, 644);
  if (isOthers(await stat(folder))) throw notRoots(folder, 700);
  return true;
}

const isOthers = ({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean =>
  uid !== 0 || (mode & otherWriters) !== 0;

const notRoots = (path: string, mode: number): HostFailure =>
  new HostFailure(
    `somebody else than root can change ${path}`,
    `see that it names only keys you trust, then: chown root:root ${path} && chmod ${mode} ${path}`,
  );

/**
 * Throws unless the signature is of this binary, was made for releases, and is by a key that the host's file names and that is valid now.
 */
export async function verifySignature({ system, places, binary, signature }: SignatureOptions): Promise<void> {
  const scratch = await mkdtemp(join(places.run, "gatehouse-release."));
  try {
    const signers = join(scratch, "signers");
    await writeFile(signers, asAllowedSigners(await readFile(places.key, "utf8")), { mode: 0o600 });
    const found = await system.run(["ssh-keygen", "-Y", "find-principals", "-s", signature, "-f", signers]);
    if (found.code !== 0) throw foreign(places, found.complaint);
    const [principal = ""] = found.output.split(/[\n,]/).filter((each) => !each.startsWith("!"));
    const verified = await system.run(
      ["ssh-keygen", "-Y", "verify", "-f", signers, "-I", principal, "-n", namespace, "-s", signature],
      { stdin: Bun.file(binary) },
    );
    if (verified.code === 0) return;
    throw new HostFailure(
      `its signature is not one of this binary as a release: ${lastLine(verified)}`,
      `copy binary and signature from the same build, and sign with ssh-keygen -Y sign -n ${namespace}`,
    );
  } finally {
    await system.disk.remove(scratch);
  }
}

/** Turns a public key file into ALLOWED SIGNERS of ssh-keygen(1), by a name in front of each key. */
const asAllowedSigners = (text: string): string =>
  text
    .split("\n")
    .map((line) => (publicKey.test(line) ? `release ${line}` : line))
    .join("\n");

function foreign(places: Places, complaint: string): HostFailure {
  if (/parse|format|read/i.test(complaint))
    return new HostFailure(`its signature can't be read: ${complaint}`, "copy it again from the build");
  return new HostFailure(
    `it is signed by a key that ${places.key} does not name`,
    `take a release of somebody you trust, or add their key to ${places.key}`,
  );
}

const lastLine = ({ output, complaint }: { readonly output: string; readonly complaint: string }): string =>
  `${output}\n${complaint}`.trim().split("\n").at(-1) ?? "";
