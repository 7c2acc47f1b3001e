import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { hour } from "../../src/core/clock.ts";
import { StorageUnavailable, type Storage } from "../../src/drivers/storage/index.ts";
import type { S3StorageOptions } from "../../src/drivers/storage/s3/storage.ts";
import { bytes, chunks, large, openS3, type S3Server, sha256 } from "../support/s3.disk.ts";
import { startS3 } from "../support/s3.ts";
import { textOf } from "./storage.conformance.ts";

describe("a disk on S3 in trouble", () => {
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

  test("D-50 what was changed on its way is refused, and one that went well once is stored", async () => {
    await storage.put("note", bytes("before"));
    let changes = 0;
    server.state.onTheWay = (body) => {
      if (body.length === 0 || changes === 0) return body;
      changes -= 1;
      return body.map((byte, index) => (index === 0 ? byte ^ 1 : byte));
    };
    changes = 100;
    await expect(storage.put("note", bytes("after"))).rejects.toThrow("what arrived there is not what was sent");
    await expect(storage.put("note", chunks(large))).rejects.toThrow("what arrived there is not what was sent");
    expect(await textOf(storage, "note")).toBe("before");
    changes = 1;
    await storage.put("note", bytes("after"));
    expect(await textOf(storage, "note")).toBe("after");
  });

  test("D-51 an upload that fails or is stopped leaves what was there before, and no parts", async () => {
    await storage.put("note", bytes("before"));
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(large),
      pull: (controller) => controller.error(new Error("the source broke")),
    });
    await expect(storage.put("note", broken)).rejects.toThrow("the source broke");
    // Nothing is wrong with the server where the content can't be read.
    const unreadable = Bun.file("/nowhere/at/all").stream();
    await expect(storage.put("note", unreadable)).rejects.not.toBeInstanceOf(StorageUnavailable);
    server.failAlways("PUT part", "denied");
    await expect(storage.put("note", chunks(large))).rejects.toThrow("has no right");
    server.failAlways("POST complete", "denied");
    await expect(storage.put("note", chunks(large))).rejects.toThrow("has no right");
    await expect(storage.put("note", chunks(large), { sha256: sha256(bytes("another")) })).rejects.toThrow("SHA-256");
    await expect(storage.put("note", bytes("x"), { sha256: sha256(bytes("another")) })).rejects.toThrow("SHA-256");
    const abort = new AbortController();
    server.state.fault = ({ what }) => {
      if (what !== "part") return undefined;
      abort.abort(new Error("shut down"));
      return "silent";
    };
    await expect(storage.put("note", chunks(large), { signal: abort.signal })).rejects.toThrow("shut down");
    expect(server.uploads.size).toBe(0);
    expect(await textOf(storage, "note")).toBe("before");
  });

  test("a server that fails for a moment is asked again, and gets each part once in its place", async () => {
    server.failOnce("PUT part", "500", "503", "503");
    await storage.put("large", chunks(large));
    // Amazon begins some answers before it knows how the work ends.
    server.failOnce("POST complete", "late", "late");
    await storage.put("large", chunks(large));
    server.failOnce("GET file", "503");
    const file = await storage.get("large");
    expect(sha256(await new Response(file?.content).bytes())).toBe(sha256(large));
  });

  test("an upload whose last answer is lost is told as what it became", async () => {
    server.failOnce("POST complete", "lost");
    await storage.put("large", chunks(large));
    expect((await storage.stat("large"))?.size).toBe(large.length);
  });

  test("D-52 a file that comes back shorter or otherwise than it was put is an error", async () => {
    await storage.put("note", bytes("Dear Grace"));
    await storage.put("large", chunks(large), { sha256: sha256(large) });
    for (const name of ["note", "large"]) {
      for (const fault of ["cut", "corrupt"] as const) {
        server.failAlways("GET file", fault);
        const read = async () => new Response((await storage.get(name))?.content).bytes();
        await expect(read()).rejects.toThrow(fault === "cut" ? "the connection broke" : "SHA-256");
      }
    }
  });

  test("D-53 every call to a server that falls silent ends", async () => {
    storage = openS3(server, { patience: { deadlineMs: 50, pauseMs: 1 } });
    await storage.put("note", bytes("Dear Grace"));
    server.failAlways("GET file", "stalled");
    const file = await storage.get("note");
    await expect(new Response(file?.content).bytes()).rejects.toThrow("no answer for 0.05 seconds");
    server.state.fault = () => "silent";
    for (const call of [
      () => storage.get("note"),
      () => storage.stat("note"),
      () => storage.list(),
      () => storage.delete("note"),
      () => storage.put("note", chunks(large)),
      () => storage.ping(),
    ])
      await expect(call()).rejects.toThrow(StorageUnavailable);
    await storage.close();
  });

  test("D-54 what is wrong with the server is said in words, without a key", async () => {
    const { url, secretAccessKey } = server;
    const messages: string[] = [];
    const expectWords = async (others: Partial<S3StorageOptions>, words: string): Promise<void> => {
      const disk = openS3(server, others);
      for (const call of [() => disk.ping(), () => disk.stat("note"), () => disk.put("note", bytes("x"))]) {
        const error: unknown = await call().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(StorageUnavailable);
        messages.push(Bun.inspect(error));
        expect(String(error)).toContain(words);
        expect(String(error)).toContain('storage disk "uploads" (http');
      }
    };
    await expectWords({ secretAccessKey: "another secret" }, "the secret access key is not that of the access key");
    await expectWords({ accessKeyId: "NOBODY" }, "the access key is not known there");
    await expectWords({ bucket: "nobody" }, "there is no such bucket");
    await expectWords({ region: "eu-central-1" }, "the bucket lies in another region");
    await expectWords({ clock: { now: () => Date.now() - hour } }, "more than 15 minutes apart");
    await expectWords({ endpoint: new URL("http://127.0.0.1:1") }, "the connection is refused");
    await expectWords({ endpoint: new URL("http://nobody.invalid") }, "its address is not found or can't be reached");
    await expectWords(
      { endpoint: new URL(url.replace("http", "https")) },
      "it speaks no TLS, which https:// in its endpoint asks for",
    );
    server.state.fault = () => "503";
    await expectWords({}, "it asks to be called less often");
    server.state.fault = () => "denied";
    await expectWords({}, "the access key has no right to do this");
    expect(messages.filter((each) => each.includes(secretAccessKey) || each.includes("another secret"))).toEqual([]);
  });

  test("D-58 answers that are made to do harm are refused at once, and nothing of others is touched", async () => {
    let [answer, headers, status]: [string, Record<string, string>, number] = ["", {}, 200];
    const asked: string[] = [];
    await using hostile = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ method, url }) => {
        asked.push(`${method} ${new URL(url).search}`);
        return new Response(answer, { status, headers });
      },
    });
    const disk = openS3({ ...server, url: `http://127.0.0.1:${hostile.port}` });
    const listOf = (key: string, size: string, at: string): string =>
      `<Contents><Key>${key}</Key><Size>${size}</Size><LastModified>${at}</LastModified></Contents>`;
    const at = "2026-01-01T00:00:00Z";

    // The answer is three megabytes of elements that never end: read in one pass, in milliseconds.
    answer = "<Error><Contents>".repeat(180_000);
    expect(await disk.list()).toEqual({ files: [], next: undefined });
    for (const wrong of [
      listOf("others/note", "1", at),
      listOf("gatehouse/note", "many", at),
      listOf("gatehouse/note", "1e300", at),
      listOf("gatehouse/note", "1", "soon"),
    ]) {
      answer = wrong;
      await expect(disk.list()).rejects.toThrow("it answers as no server of S3 does");
    }
    answer = listOf("gatehouse/../../etc/passwd", "1", at) + listOf("gatehouse/note", "1", at);
    expect((await disk.list()).files.map(({ name }) => name)).toEqual(["note"]);

    // An upload without an id is not given up: that request would delete the file of its name.
    answer = "";
    await expect(disk.ping()).rejects.toThrow("it answers as no server of S3 does: an upload without an id");
    expect(asked.filter((each) => each.startsWith("DELETE"))).toEqual([]);
    // Uploads that other programs have begun in the bucket are not given up.
    answer = `<Upload><Key>others/file</Key><UploadId>1</UploadId><Initiated>2020-01-01T00:00:00Z</Initiated></Upload>`;
    headers = { "last-modified": new Date(0).toUTCString() };
    await disk.put("note", bytes("x")).catch(() => undefined);
    expect(asked.filter((each) => each.startsWith("DELETE"))).toEqual([]);

    status = 400;
    for (const word of ["constructor", "__proto__", "password=\u001b[2J", "x".repeat(100_000)]) {
      answer = `<Error><Code>${word}</Code></Error>`;
      const error: unknown = await disk.list().catch((thrown: unknown) => thrown);
      expect(String(error)).toEndWith(word === "constructor" ? "answered 400 constructor" : "answered 400");
    }
    await disk.close();
  });

  test("a certificate that nobody vouches for is refused", async () => {
    const made = Bun.spawnSync(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout - -out - -subj /CN=ada -days 1".split(
        " ",
      ),
    ).stdout.toString();
    const [key = "", cert = ""] = [/-+BEGIN PRIVATE KEY[^]*END PRIVATE KEY-+/, /-+BEGIN CERT[^]*END CERTIFICATE-+/].map(
      (pattern) => pattern.exec(made)?.[0],
    );
    const secure = startS3({ tls: { key, cert } });
    await expect(openS3(secure).ping()).rejects.toThrow("its certificate is not accepted");
    await secure.stop();
  });
});
