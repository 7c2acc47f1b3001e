import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hour } from "../../src/core/clock.ts";
import type { Storage } from "../../src/drivers/storage/index.ts";
import { describeStorage } from "../../src/drivers/storage/open.ts";
import { eventually } from "../support/log.ts";
import { bytes, chunks, large, mebibyte, openS3, type S3Server, sha256 } from "../support/s3.disk.ts";
import { startS3 } from "../support/s3.ts";
import { storageConformance } from "./storage.conformance.ts";

storageConformance("s3", async () => {
  const server = startS3();
  const storage = openS3(server);
  return {
    storage,
    async dispose() {
      await storage.close();
      await server.stop();
    },
  };
});

/**
 * The URL of another server, `http://KEY:SECRET@HOST:PORT/BUCKET`. All tests of the port run against it too, under a prefix of their own.
 */
const elsewhere = URL.parse(process.env["GATEHOUSE_TEST_S3"] ?? "");
if (elsewhere !== null) {
  storageConformance(`s3 at ${elsewhere.host}`, async () => {
    const { protocol, host, username, password, pathname } = elsewhere;
    const server = {
      url: `${protocol}//${host}`,
      region: "us-east-1",
      accessKeyId: username,
      secretAccessKey: password,
    };
    const storage = openS3(server, { bucket: pathname.slice(1), prefix: crypto.randomUUID() });
    return { storage, dispose: () => storage.close() };
  });
}

describe("a disk on S3", () => {
  let server: S3Server;
  let storage: Storage;
  beforeEach(() => {
    server = startS3();
    storage = openS3(server);
  });
  afterEach(async () => {
    await storage.close();
    await server.stop();
  });

  test("asks for nothing before it is used", async () => {
    await Bun.sleep(0);
    expect(server.seen).toEqual([]);
  });

  test("what has no room in one part goes up in parts, and is there when the last one is", async () => {
    await storage.put("small", large.subarray(0, mebibyte));
    expect(server.asked()).toEqual(["GET uploads", "PUT file", "HEAD file"]);
    server.seen.length = 0;
    const put = await storage.put("large", chunks(large), { sha256: sha256(large) });
    expect(put.size).toBe(large.length);
    expect(server.asked()).toEqual(["POST begin", "PUT part", "PUT part", "PUT part", "POST complete", "HEAD file"]);
    const file = await storage.get("large");
    expect(sha256(await new Response(file?.content).bytes())).toBe(sha256(large));
    await storage.put("bytes", large);
    expect(sha256(server.files.get("gatehouse/bytes")?.bytes ?? new Uint8Array())).toBe(sha256(large));
    expect([...server.files.keys()]).toEqual(["gatehouse/small", "gatehouse/large", "gatehouse/bytes"]);
  });

  test("a file of many parts is held in memory one part at a time", async () => {
    let made = 0;
    const held: number[] = [];
    const content = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          held.push(made - [...server.uploads.values()].flatMap(({ parts }) => [...parts.values()]).length * 8);
          if (made === 40) controller.close();
          else controller.enqueue(new Uint8Array(mebibyte));
          made += 1;
        },
      },
      { highWaterMark: 0 },
    );
    await storage.put("long", content);
    expect(Math.max(...held)).toBeLessThanOrEqual(9);
  });

  test("a ping looks whether the key may read and, once in a while, write, and leaves nothing", async () => {
    let now = Date.now();
    storage = openS3(server, { clock: { now: () => now } });
    for (let times = 0; times < 3; times += 1) await storage.ping();
    expect(server.asked()).toEqual(["GET list", "POST begin", "DELETE abort", "GET list", "GET list"]);
    expect([server.files.size, server.uploads.size]).toEqual([0, 0]);
    server.failAlways("POST begin", "denied");
    await storage.ping();
    now += 10 * 60_000;
    for (let times = 0; times < 2; times += 1) await expect(storage.ping()).rejects.toThrow("has no right");
  });

  test("D-55 uploads that killed processes left are removed, those under way and those of others stay", async () => {
    const begin = async (key: string, ageMs: number): Promise<void> => {
      server.uploads.set(key, { key, initiatedAt: Date.now() - ageMs, metadata: {}, parts: new Map([[1, large]]) });
    };
    await begin("gatehouse/backups/dead", 13 * hour);
    await begin("gatehouse/by hand/a&b?ä", 13 * hour);
    await begin("gatehouse/backups/live", 11 * hour);
    await begin("others/backups/dead", 13 * hour);
    await storage.put("note", bytes("x"));
    expect([...server.uploads.keys()]).toEqual(["gatehouse/backups/live", "others/backups/dead"]);
    // An access key that may not look for abandoned uploads can put files all the same.
    server.failAlways("GET uploads", "denied");
    await openS3(server).put("note", bytes("y"));
  });

  test("files of others in the bucket are neither listed nor in the way of a page", async () => {
    for (const key of ["aside", "gatehouse/a folder/", "gatehouse/.hidden", "gatehouse2/x", "gatehouse/b&b"])
      server.files.set(key, { bytes: bytes("x"), modifiedAt: Date.now(), metadata: {} });
    await storage.put("a", bytes("x"));
    await storage.put("z", bytes("x"));
    const names: string[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const page = await storage.list({ after, limit: 1 });
      names.push(...page.files.map(({ name }) => name));
      after = page.next;
    }
    expect(names).toEqual(["a", "z"]);
  });

  test("close waits for what is being put", async () => {
    server.failAlways("PUT file", "silent");
    const put = storage.put("note", bytes("x"));
    await eventually("the request", () => server.asked().includes("PUT file"));
    const closing = storage.close();
    server.state.fault = () => undefined;
    server.release();
    await Promise.all([put, closing]);
    expect(server.files.has("gatehouse/note")).toBe(true);
  });
});

test("the bucket stands in the path, or in the name of the host", () => {
  const at = (endpoint: string | undefined, bucket = "offsite"): string =>
    describeStorage({
      driver: "s3",
      path: "",
      bucket,
      endpoint: endpoint === undefined ? undefined : new URL(endpoint),
      region: "eu-west-1",
    });
  expect(at(undefined)).toBe("https://offsite.s3.eu-west-1.amazonaws.com");
  expect(at(undefined, "off.site")).toBe("https://s3.eu-west-1.amazonaws.com/off.site");
  expect(at("https://s3.example.test/")).toBe("https://s3.example.test/offsite");
  expect(at("https://example.test/s3/")).toBe("https://example.test/s3/offsite");
  expect(at("https://offsite.account.r2.cloudflarestorage.com")).toBe(
    "https://offsite.account.r2.cloudflarestorage.com",
  );
});
