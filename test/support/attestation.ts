import { createPrivateKey, sign } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cbor } from "./authenticator.ts";

interface Model {
  /** What the certificate says of its model; undefined where it says nothing. */
  readonly aaguid?: string;
  readonly unit?: string;
  /** What the certificate has in an extension that nobody knows. */
  readonly hidden?: string;
}

async function openssl(folder: string, ...args: readonly string[]): Promise<void> {
  const run = Bun.spawn(["openssl", ...args], { cwd: folder, stdout: "ignore", stderr: "pipe", timeout: 20_000 });
  const complaint = await run.stderr.text();
  if ((await run.exited) !== 0) throw new Error(complaint);
}

/** Returns the lines of an extension that names the model (WebAuthn, "Certificate Requirements for Packed Attestation Statements"). */
const extensions = ({ aaguid, hidden }: Model): string =>
  [
    "basicConstraints=CA:FALSE",
    // By name alone, which makers may share: whose key has signed it is what counts.
    "authorityKeyIdentifier=none",
    ...(aaguid === undefined ? [] : [`1.3.6.1.4.1.45724.1.1.4=DER:0410${aaguid.replaceAll("-", "")}`]),
    ...(hidden === undefined ? [] : [`1.3.6.1.4.1.99999.1=DER:${Buffer.from(hidden).toString("hex")}`]),
  ].join("\n");

const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** A maker of authenticators, who vouches for models by certificates. */
export async function createMaker(name: string) {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-maker-"));
  await openssl(
    folder,
    "req",
    "-x509",
    ...curve,
    "-keyout",
    "root.key",
    "-out",
    "root.pem",
    "-days",
    "1",
    "-subj",
    `/CN=${name}`,
  );

  return {
    /** The maker's own certificate, in PEM. */
    root: await readFile(join(folder, "root.pem"), "utf8"),

    /** Makes a model whose authenticators sign what they are. */
    async model(model: Model = {}) {
      const subject = `/C=SE/O=${name}/OU=${model.unit ?? "Authenticator Attestation"}/CN=Key`;
      await openssl(folder, "req", "-new", ...curve, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", subject);
      await writeFile(join(folder, "leaf.ext"), extensions(model));
      const by = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-extfile", "leaf.ext"];
      await openssl(
        folder,
        "x509",
        "-req",
        "-in",
        "leaf.csr",
        ...by,
        "-days",
        "1",
        "-outform",
        "DER",
        "-out",
        "leaf.der",
      );
      const certificate = await readFile(join(folder, "leaf.der"));
      const key = createPrivateKey(await readFile(join(folder, "leaf.key")));
      return (signed: Uint8Array): ReadonlyMap<string, Cbor> =>
        new Map<string, Cbor>([
          ["alg", -7],
          ["sig", sign("sha256", signed, key)],
          ["x5c", [certificate]],
        ]);
    },

    forget: () => rm(folder, { recursive: true }),
  };
}
