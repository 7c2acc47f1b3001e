import { join } from "node:path";

/** Why a test that needs a certificate can't run here; undefined if it can. */
export const opensslMissing: string | undefined =
  Bun.which("openssl") === null ? "openssl is not installed" : undefined;

export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes a self-signed certificate, valid for two days: a client that trusts its file trusts the server. */
export function makeCertificate(folder: string, name = "DNS:localhost"): CertificateFiles {
  const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=${name}`;
  const made = Bun.spawnSync({
    cmd: ["openssl", ...request.split(" "), "-keyout", keyFile, "-out", certFile],
    stderr: "pipe",
  });
  if (!made.success) throw new Error(made.stderr.toString());
  return { certFile, keyFile };
}
