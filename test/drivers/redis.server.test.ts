import { expect, test } from "bun:test";
import { redisMissing, startRedis } from "../support/redis.ts";

test.skipIf(redisMissing !== undefined)(
  "the Redis of the tests keeps what it has answered over a kill, and speaks TLS",
  async () => {
    const server = await startRedis({ appendonly: true });
    await server.command("SET", "ada", "here");
    await server.kill();
    await server.restart();
    expect(await server.command("GET", "ada")).toBe("here");
    await server.stop();
    const secure = await startRedis({ tls: true });
    expect(await secure.command("PING")).toBe("PONG");
    await secure.stop();
  },
);
