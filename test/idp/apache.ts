import { chmod, mkdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";

const modules = "/usr/lib/apache2/modules";
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const startLimitMs = 20_000;

/** Why Apache can't run here with mod_auth_openidc; undefined if it can. */
export const apacheMissing: string | undefined =
  Bun.which("apache2", { PATH: path }) === null
    ? "apache2 is not installed"
    : existsSync(`${modules}/mod_auth_openidc.so`)
      ? undefined
      : "libapache2-mod-auth-openidc is not installed";

interface ApacheOptions {
  readonly folder: string;
  readonly port: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A page at /guarded, which tells in headers who has come. The way back is /callback. */
const configuration = ({ folder, port, issuer, clientId, clientSecret }: ApacheOptions): string => `
ServerRoot ${folder}
DefaultRuntimeDir ${folder}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
LogLevel warn auth_openidc:debug
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
${["mpm_event", "authn_core", "authz_core", "authz_user", "headers", "auth_openidc"]
  .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`)
  .join("\n")}
StartServers 1
DocumentRoot ${folder}/pages

OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret ${clientSecret}
OIDCRedirectURI http://127.0.0.1:${port}/callback
OIDCCryptoPassphrase a-passphrase-of-the-tests-0123456789
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim sub
OIDCRefreshAccessTokenBeforeExpiry 0
OIDCInfoHook access_token userinfo
OIDCDefaultLoggedOutURL http://127.0.0.1:${port}/bye

<Location />
  Require all granted
</Location>
<Location /guarded>
  AuthType openid-connect
  Require valid-user
  Header set X-Remote-User "expr=%{REMOTE_USER}"
  Header set X-Email "%{OIDC_CLAIM_email}e"
  Header set X-Issuer "%{OIDC_CLAIM_iss}e"
</Location>
<Location /callback>
  AuthType openid-connect
  Require valid-user
</Location>
`;

/** Starts an Apache of its own, which signs people in at the issuer. */
export async function startApache(
  options: ApacheOptions,
): Promise<{ url: string; log(): Promise<string>; stop(): Promise<void> }> {
  const { folder, port } = options;
  await chmod(folder, 0o711);
  await mkdir(join(folder, "pages"));
  for (const page of ["guarded", "bye"]) await writeFile(join(folder, "pages", page), `the page ${page}\n`);
  const file = join(folder, "apache.conf");
  await writeFile(file, configuration(options));
  const child = Bun.spawn(["apache2", "-D", "FOREGROUND", "-f", file], {
    cwd: folder,
    env: { PATH: path },
    stdin: "ignore",
    stdout: Bun.file(join(folder, "output")),
    stderr: Bun.file(join(folder, "output")),
  });
  const log = async (): Promise<string> =>
    (
      await Promise.all(
        ["output", "error.log"].map((name) =>
          Bun.file(join(folder, name))
            .text()
            .catch(() => ""),
        ),
      )
    ).join("");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await child.exited;
    clearTimeout(timer);
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + startLimitMs;
  for (;;) {
    const isUp = await fetch(`${url}/bye`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { url, log, stop };
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`Apache did not start: ${(await log()).slice(-2_000)}`);
    }
    await Bun.sleep(50);
  }
}
