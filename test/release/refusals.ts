import { expect } from "bun:test";
import type { Host } from "./host.ts";
import type { Machine } from "./machine.ts";
import type { createTrial } from "./trial.ts";

/** Tests refusals for a faulty binary, checksum, settings, disk or migration. */
export async function refuseWhatIsWrong(trial: ReturnType<typeof createTrial>, machine: Machine): Promise<void> {
  await machine.ok(
    "mkdir bad && cp ada/gatehouse* bad && printf x | dd of=bad/gatehouse bs=1 seek=5000000 conv=notrunc status=none",
  );
  await trial.expectRefusal("gatehouse release:activate bad/gatehouse", /SHA-256 is not the one/);
  await machine.ok("cp ada/gatehouse bad/gatehouse && truncate -s 60M bad/gatehouse");
  await trial.expectRefusal("gatehouse release:activate bad/gatehouse", /SHA-256 is not the one.*truncated/);
  await machine.ok("(cd bad && sha256sum gatehouse > gatehouse.sha256)");
  await trial.expectRefusal("gatehouse release:activate bad/gatehouse", /it does not run here|calls itself/);
  await machine.ok("rm bad/gatehouse.sha256");
  await trial.expectRefusal("gatehouse release:activate bad/gatehouse", /gatehouse\.sha256 is missing/);
  await machine.ok("cp grace/gatehouse.sha256 bad; cp ada/gatehouse bad");
  await trial.expectRefusal("gatehouse release:activate bad/gatehouse", /another build/);
  await trial.expectRefusal("gatehouse release:activate absent/gatehouse", /there is no such file/);

  await machine.ok("sed -i.kept /^DB_DRIVER=/d /etc/gatehouse/gatehouse.env");
  await trial.expectRefusal("gatehouse release:activate ada/gatehouse", /DB_DRIVER must be chosen explicitly/);
  await machine.ok("mv /etc/gatehouse/gatehouse.env.kept /etc/gatehouse/gatehouse.env");
  await machine.ok("mv /etc/credstore/gatehouse.APP_KEY /root/kept");
  await trial.expectRefusal("gatehouse release:activate ada/gatehouse", /APP_KEY is required/);
  await machine.ok("mv /root/kept /etc/credstore/gatehouse.APP_KEY");

  await machine.ok(
    "mount -o remount,size=$(($(df --output=used -B1 /opt/gatehouse | tail -1) + 50000000)) /opt/gatehouse",
  );
  await trial.expectRefusal("gatehouse release:activate unready/gatehouse", /MiB free, the release takes/);
  await machine.ok("mount -o remount,size=1500M /opt/gatehouse");

  await trial.expectRefusal("gatehouse release:activate halfway/gatehouse", /could not migrate the database/);
  // The first of the migrations is applied; the release before runs on with it.
  expect(await machine.ok("curl -s http://127.0.0.1:3000/-/ready")).toContain('"ready"');
  await machine.ok(`systemd-run --quiet --pipe --wait --unit=gatehouse-command-undo \
  /opt/gatehouse/releases/*-halfway/gatehouse migrate:rollback`);
}

/** Tests signatures: with a file of keys on the host, an unsigned release of the admin app is refused, and a signed one accepted. */
export async function requireSignatures(host: Host, machine: Machine): Promise<void> {
  await machine.ok(`chmod 755 admin/gatehouse-admin
    ssh-keygen -q -t ed25519 -N '' -f release-key && install -m 644 release-key.pub /etc/gatehouse/release.pub`);
  try {
    const unsigned = await host.release("admin/gatehouse-admin release:activate");
    expect(unsigned).toEqual({ code: 1, output: expect.stringContaining("gatehouse-admin.sig is missing") });
    expect(await machine.ok("ls -A /opt/gatehouse-admin/releases")).toBe("");
    await machine.ok("ssh-keygen -q -Y sign -n gatehouse-release -f release-key admin/gatehouse-admin");
    const { code, output } = await host.release("admin/gatehouse-admin release:activate");
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining("its checksum and its signature are right"),
    });
  } finally {
    await machine.ok("rm /etc/gatehouse/release.pub");
  }
}

/** Tests an instance whose port another program has: the release says so, and touches nothing else. */
export async function nameWhoHasThePort(host: Host, machine: Machine): Promise<void> {
  const before = await host.current();
  await machine.ok(`printf 'frontend other\\n  bind 127.0.0.1:3005\\n' >> /etc/haproxy/haproxy.cfg; systemctl reload haproxy
    systemctl start gatehouse-api@3005 2>&1 || true`);
  const { code, output } = await host.release("gatehouse release:restart --settle 0 --ready-within 3");
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringContaining("because another program has port 3005"),
  });
  expect(output).toContain("what to do: end that program (ss -ltnp 'sport = :3005' names it)");
  expect(await host.current()).toBe(before);
}
