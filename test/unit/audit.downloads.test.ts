import { expect, test } from "bun:test";
import { createDownloads } from "../../src/staff/frame/downloads.ts";

async function* lines(fails = false) {
  yield "one\r\n";
  if (fails) throw new Error("the database is gone");
  yield "two\r\n";
}

const textOf = (body: ReadableStream<Uint8Array>): Promise<string> => new Response(body).text();

const refused = "service unavailable";

test("of files that are written while they are read there are only so many at once", async () => {
  const download = createDownloads(2);
  const [read, left] = [download(lines()), download(lines())];
  expect(() => download(lines())).toThrow(refused);
  expect(await textOf(read)).toBe("one\r\ntwo\r\n");
  const broken = download(lines(true));
  expect(() => download(lines())).toThrow(refused);
  await left.cancel();
  expect(await textOf(broken).catch(String)).toContain("the database is gone");
  const [next, last] = [download(lines()), download(lines())];
  expect(await textOf(next)).toBe(await textOf(last));
});
