import { join } from "node:path";
import type { Machine } from "../release/machine.ts";

// What is around an installed host: names, certificates by an authority that the host trusts, nginx, and a relay that takes mail.
const names = ["auth.example.com", "admin.auth.example.com"] as const;
const folder = "/etc/ssl/gatehouse";

/** Makes a certificate for both names, by an authority that the host trusts, and which ends then. */
export const certificate = (end: string): string => `
cd ${folder} && faketime -f '-20d' openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -days ${end} -copy_extensions copy -out fullchain.pem 2>/dev/null
cd - >/dev/null`;

const authority = `
mkdir -p ${folder} && cd ${folder}
echo '127.0.0.1 ${names.join(" ")}' >> /etc/hosts
key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
openssl req -x509 $key -days 90 -subj /CN=authority -keyout ca.key -out ca.pem 2>/dev/null
openssl req $key -subj /CN=${names[0]} -addext subjectAltName=${names.map((name) => `DNS:${name}`).join(",")} -keyout privkey.pem -out request.pem 2>/dev/null
cp ca.pem /usr/local/share/ca-certificates/gatehouse-test.crt && update-ca-certificates >/dev/null 2>&1
cd - >/dev/null`;

/** Puts nginx in front of both apps, as far as they are installed, by the examples of the installation. */
export const proxied = `
for name in nginx nginx.admin; do [ ! -e /usr/local/share/gatehouse/$name.conf ] || cp /usr/local/share/gatehouse/$name.conf /etc/nginx/conf.d/gatehouse.$name.conf; done
rm -f /etc/nginx/sites-enabled/default && nginx -t -q && systemctl restart nginx`;

export interface Relay {
  /** Resolves once it listens. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function makeSurroundings(machine: Machine): Promise<{ readonly relay: Relay }> {
  await machine.ok(`set -e\n${authority}${certificate("110")}`);
  const relay = createRelay(machine);
  await relay.start();
  return { relay };
}

function createRelay(machine: Machine): Relay {
  let child: Bun.Subprocess | undefined;
  return {
    async start() {
      const served = machine.onNetwork([process.execPath, join(import.meta.dir, "relay.process.ts")]);
      // It ends with the tests, even when they are killed.
      child = Bun.spawn(["setpriv", "--pdeathsig", "KILL", ...served], { stdio: ["ignore", "ignore", "inherit"] });
      const listens = "ss -ltn | grep -q ':25 '";
      await within(20_000, "the relay does not listen", async () => (await machine.run(listens)).code === 0);
    },
    async stop() {
      child?.kill();
      await child?.exited;
    },
  };
}
/** Asks again, once a second, until the answer is yes. */
export async function within(ms: number, complaint: string, ask: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + ms;
  while (!(await ask())) {
    if (performance.now() > until) throw new Error(complaint);
    await Bun.sleep(1_000);
  }
}
