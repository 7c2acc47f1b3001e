import { join } from "node:path";
import { manual } from "../support/manual.ts";
import { shellBlocks } from "../support/markdown.ts";
import { buildNames, type BuildName, type Builds } from "./builds.ts";
import type { Machine, Outcome } from "./machine.ts";

const root = join(import.meta.dir, "..", "..");
const releaseLimitMs = 90_000;

/** Settings that the tests need beyond the manual: no mail server, and one address that sends all requests. */
const testSettings = [
  "MAIL_DRIVER=log",
  "AUTH_IP_RATE_LIMIT_ATTEMPTS=1000000",
  "AUTH_IP_LOGIN_FAILURES=1000000",
  "AUTH_LOGIN_RATE_LIMIT_ATTEMPTS=1000000",
  "AUTH_PASSWORD_HASH_QUEUE=1000",
].join("\n");

/** The name and its certificate, which a reader of the manual would have. */
const certificate = `
echo '127.0.0.1 auth.example.com' >> /etc/hosts
mkdir -p /etc/ssl/gatehouse
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=auth.example.com \\
  -addext subjectAltName=DNS:auth.example.com -keyout /etc/ssl/gatehouse/privkey.pem -out /etc/ssl/gatehouse/fullchain.pem
cat /etc/ssl/gatehouse/*.pem > /etc/haproxy/gatehouse.pem`;

export interface Host {
  readonly machine: Machine;
  /** Does exactly what the Deploy chapter says. Resolves to the output of its last block, the first login. */
  follow(): Promise<string>;
  /** Runs a command line that makes a release, such as `ada/gatehouse release:activate`. */
  release(line: string): Promise<Outcome>;
  /** Resolves to the release that `current` names. */
  current(): Promise<string>;
  /** Resolves to the process of each running service. */
  pids(): Promise<ReadonlyMap<string, number>>;
}

/** Prepares a fresh host with every build uploaded: `/root/NAME/gatehouse`. */
export async function prepareHost(machine: Machine, builds: Builds): Promise<Host> {
  const packed = Bun.spawnSync(["tar", "-C", root, "-c", "systemd"]);
  await machine.ok("tar -x", { stdin: new Blob([packed.stdout]) });
  // The binary of the API app installs only its own units.
  await machine.ok("cp -r systemd/units/gatehouse-admin* /etc/systemd/system/");
  for (const name of buildNames) await uploadBuild(machine, builds, name);
  await machine.ok("cp ada/gatehouse ada/gatehouse.sha256 .");
  // The releases get a disk of their own, which a test can fill.
  await machine.ok("mkdir -p /opt/gatehouse && mount -t tmpfs -o mode=755,size=1500M tmpfs /opt/gatehouse");
  await machine.ok(certificate);

  const run = (script: string, limitMs = releaseLimitMs): Promise<Outcome> =>
    machine.run(`set -euo pipefail; ${script}`, { limitMs });
  const ok = async (script: string): Promise<string> => {
    const { code, output } = await run(script);
    if (code !== 0) throw new Error(`${script}\nended with ${code}: ${output}`);
    return output;
  };

  return {
    machine,
    async follow() {
      const [, install = "", account = "", proxy = "", login = ""] = shellBlocks(manual, "First release");
      await ok(install);
      await ok(
        `cat >> /etc/gatehouse/gatehouse.env <<'TEXT'\n${testSettings}\nTEXT\ngatehouse release:restart --settle 0`,
      );
      await ok(account);
      // The package is installed already.
      await ok(`apt-get() { :; }\n${proxy}`);
      return ok(`export CURL_CA_BUNDLE=/etc/ssl/gatehouse/fullchain.pem\n${login}`);
    },
    release: (line) => run(line),
    current: () => machine.ok("basename $(readlink /opt/gatehouse/current)"),
    async pids() {
      const script = `for unit in $(systemctl list-units --plain --no-legend 'gatehouse-*.service' | awk '{ print $1 }'); do
        echo "$unit $(systemctl show -P MainPID $unit)"; done`;
      const lines = (await machine.ok(script)).split("\n").map((line) => line.split(" "));
      return new Map(lines.map(([unit = "", pid = ""]): [string, number] => [unit, Number(pid)]));
    },
  };
}

async function uploadBuild(machine: Machine, builds: Builds, name: BuildName): Promise<void> {
  for (const file of ["gatehouse", "gatehouse.sha256"])
    await machine.copy(join(builds.folder(name), file), `/root/${name}/${file}`);
  await machine.ok(`chmod 755 /root/${name}/gatehouse`);
}
