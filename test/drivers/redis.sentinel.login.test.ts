import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createRedisConnection, type RedisConnection } from "../../src/drivers/redis/connection.ts";
import { RedisUnavailable, type RedisSentinels } from "../../src/drivers/redis/index.ts";
import { makeCertificate } from "../support/certificate.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { redisMissing, startRedis, type RedisServer } from "../support/redis.ts";
import { startSentinel, type Sentinel } from "../support/sentinels.ts";

const folder = sharedFolder();
// Not written out, since an error shows the lines of source around it.
const password = ["a-word/of the", "watchers"].join(" ");
const serverPassword = ["a-word/of the", "server"].join(" ");
const anotherWord = ["another", "word"].join("-");
const caFile = join(folder, "authorities.pem");
let server: RedisServer;
let sentinel: Sentinel;

interface Given {
  readonly login?: Pick<RedisSentinels, "username" | "password">;
  readonly port?: number;
  /** Whether the authorities of all are known. */
  readonly knows?: boolean;
  readonly url?: string;
}
const opened: RedisConnection[] = [];
function open({ login = {}, port = sentinel.port, knows = true, url }: Given): RedisConnection {
  const connection = createRedisConnection({
    url: url ?? `rediss://gatehouse:${encodeURIComponent(serverPassword)}@mymaster/0`,
    caFile: knows ? caFile : undefined,
    sentinels: { name: "mymaster", places: [{ host: "localhost", port }], ...login },
  });
  opened.push(connection);
  return connection;
}
/** Resolves to the reason that a write fails with, and all that the error shows. */
async function reasonOf(connection: RedisConnection): Promise<string> {
  try {
    await connection.send("SET", ["gatehouse:ada", "here"]);
    return "none";
  } catch (error) {
    return error instanceof RedisUnavailable
      ? `${error.message}\n${Bun.inspect(error, { depth: 9 })}`
      : `another: ${String(error)}`;
  }
}
/** Resolves to what is said, once it has the text: on a busy machine a step may be given up before the next one says more. */
async function untilReason(given: Given, text: string): Promise<string> {
  const connection = open(given);
  let said = "";
  await eventually(text, async () => (said = await reasonOf(connection)).includes(text));
  return said;
}

describe.skipIf(redisMissing !== undefined)("sentinels with TLS and a login of their own", () => {
  beforeAll(async () => {
    server = await startRedis({
      tls: true,
      users: [`gatehouse on >${serverPassword.replaceAll(" ", "")} ~gatehouse:* &* +@all -@admin -@dangerous`],
    });
    const { certFile, keyFile } = makeCertificate(folder);
    sentinel = await startSentinel(`localhost ${server.port}`, 1, [
      `tls-cert-file ${certFile}`,
      `tls-key-file ${keyFile}`,
      `tls-ca-cert-file ${certFile}`,
      "tls-auth-clients no",
      "sentinel resolve-hostnames yes",
      "sentinel announce-hostnames yes",
      `user gatehouse on #${new Bun.CryptoHasher("sha256").update(password).digest("hex")} -@all +ping +sentinel|get-master-addr-by-name +sentinel|master +sentinel|ckquorum`,
      "user default off",
    ]);
    const texts = [server.caFile ?? "", certFile].map((path) => Bun.file(path).text());
    await Bun.write(caFile, (await Promise.all(texts)).join("\n"));
  });
  afterAll(async () => {
    for (const connection of opened) connection.close();
    await sentinel.stop();
    await server.stop();
  });
  const login = { username: "gatehouse", password };

  test("D-39 they are asked over TLS, as the user with the rights that the manual names, and so is the primary", async () => {
    const url = `rediss://gatehouse:${encodeURIComponent(serverPassword.replaceAll(" ", ""))}@mymaster/0`;
    expect(await reasonOf(open({ login, url }))).toBe("none");
    expect(await server.command("GET", "gatehouse:ada")).toBe("here");
  });

  test("D-39 a login that they refuse, or the lack of one, is said in words that name the variables, without the password", async () => {
    const names = "; their login is REDIS_SENTINEL_USERNAME and REDIS_SENTINEL_PASSWORD";
    await untilReason({}, `localhost:${sentinel.port}: it asks for a password, and none is given${names}`);
    const wrong = { login: { ...login, password: anotherWord } };
    const refused = await untilReason(wrong, `localhost:${sentinel.port}: it refuses the user or the password${names}`);
    expect(refused).not.toContain(anotherWord);
    // A password of the servers that is wrong is told of the primary.
    const of = `Redis at localhost:${server.port}/0, the primary mymaster: `;
    const said = await untilReason({ login }, `${of}it refuses the user or the password`);
    for (const secret of [password, serverPassword, encodeURIComponent(serverPassword)])
      expect(said).not.toContain(secret);
  });

  test("D-39 a sentinel whose certificate nobody vouches for, and one without TLS, is asked nothing", async () => {
    await untilReason({ login, knows: false }, `localhost:${sentinel.port}: TLS fails: DEPTH_ZERO_SELF_SIGNED_CERT`);
    const plain = await startSentinel(`127.0.0.1 ${server.port}`, 1, []);
    await untilReason({ login, port: plain.port }, `localhost:${plain.port}: it is connected, and does not speak TLS`);
    await plain.stop();
  });
});
