import { addressFamily } from "../core/address/address.family.ts";
import { errorCode } from "../core/errors.ts";

/** How long what was found is remembered: failures come in numbers. */
const rememberedMs = 10_000;
const limitMs = 1_000;
const mostAddresses = 4;
/** Where a datagram does no harm: the service that throws away what it gets (RFC 863). */
const discardPort = 9;

/**
 * Makes a question to be asked after a connection has failed: whether the system lets nothing of this process out to the host. systemd's
 * IPAddressDeny= drops TCP without a word, so that it looks as if nobody had answered. An empty datagram is refused at once, as it is by a firewall
 * of this host that lets no datagram out, though perhaps TCP. Resolves to words that are to stand behind the reason of the failure, or to
 * undefined where nothing is in the way.
 */
export function createWayOut(host: string) {
  let asked: { readonly at: number; readonly answer: Promise<string | undefined> } | undefined;
  return (): Promise<string | undefined> => {
    if (asked !== undefined && performance.now() - asked.at < rememberedMs) return asked.answer;
    asked = { at: performance.now(), answer: whatIsInTheWay(host).catch(() => undefined) };
    return asked.answer;
  };
}

async function whatIsInTheWay(host: string): Promise<string | undefined> {
  const { addresses, nameOf } =
    addressFamily(host) === 0 ? await resolved(host) : { addresses: [host], nameOf: String };
  const outcomes = await Promise.all(
    addresses.slice(0, mostAddresses).map(async (address) => ({ address, code: await codeOfDatagram(address) })),
  );
  // One address that is not kept back is a way, and the failure has another reason.
  if (outcomes.some(({ code }) => code === undefined)) return undefined;
  const kept = outcomes.find(({ code }) => code === "EPERM");
  if (kept !== undefined) return allow(kept.address, nameOf(kept.address));
  const isWithoutFamily = outcomes.length > 0 && outcomes.every(({ code }) => code === "EAFNOSUPPORT");
  return isWithoutFamily
    ? `this process may use no addresses such as ${outcomes[0]?.address}: see RestrictAddressFamilies= of its unit`
    : undefined;
}

const allow = (address: string, name: string): string =>
  `the sandbox of this process, or a firewall of this host, lets nothing out to ${name}: add the line IPAddressAllow=${address} below [Service] in ` +
  "/etc/systemd/system/gatehouse-.service.d/40-network.conf, then run systemctl daemon-reload and release:restart";

interface Asked {
  readonly addresses: readonly string[];
  nameOf(address: string): string;
}

/** Resolves to the addresses of a host, or of who is asked for names where it has none: that may be who can't be reached. */
async function resolved(host: string): Promise<Asked> {
  const { lookup, getServers } = await import("node:dns/promises");
  const found = lookup(host, { all: true }).then((all) => all.map(({ address }) => address));
  const addresses = await Promise.race([found, late()]).catch(() => undefined);
  if (addresses !== undefined) return { addresses, nameOf: (address) => `${host} (${address})` };
  const servers = getServers().filter((server) => addressFamily(server) !== 0);
  return { addresses: servers, nameOf: (address) => `the resolver ${address}, so that ${host} is not found` };
}

async function late(): Promise<never> {
  await Bun.sleep(limitMs);
  throw new Error("late");
}

/** Resolves to the system's code for a datagram that it did not take. */
async function codeOfDatagram(address: string): Promise<string | undefined> {
  const { createSocket } = await import("node:dgram");
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = createSocket(addressFamily(address) === 6 ? "udp6" : "udp4");
  const end = (error?: Error | null): void => resolve(error ? errorCode(error) : undefined);
  const limit = setTimeout(end, limitMs);
  socket.once("error", end);
  socket.send(new Uint8Array(0), discardPort, address, end);
  try {
    return await promise;
  } finally {
    clearTimeout(limit);
    socket.close();
  }
}
