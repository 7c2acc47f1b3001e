import { afterEach, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { serveSite, type Site } from "./site.ts";

let site: Site | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await site?.stop();
});

const hello = "GET /api/hello HTTP/1.1\r\nHost: a\r\n\r\n";

/** All that is answered until the server closes the connection, or for as long as it may take. */
function answersTo(port: number, requests: string, waitMs = 1_000): Promise<{ statuses: number[]; closed: boolean }> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(requests));
    sockets.push(socket);
    const end = (closed: boolean): void => {
      clearTimeout(timer);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      resolve({ statuses, closed });
    };
    const timer = setTimeout(() => end(false), waitMs);
    socket.on("data", (chunk) => (text += chunk.toString("latin1")));
    socket.on("error", () => {});
    socket.on("close", () => end(true));
  });
}

test("X-36 a connection that sends thousands of requests ahead of their answers is refused and closed", async () => {
  site = await serveSite();
  const { statuses, closed } = await answersTo(site.port, hello.repeat(5_000));
  expect(closed).toBe(true);
  // What is still unread when a connection is closed resets it, and answers on their way are lost.
  expect(statuses.length).toBeLessThan(67);
});

test("X-36 what is too much says so, and is the last answer of the connection", async () => {
  site = await serveSite();
  expect(await answersTo(site.port, hello.repeat(66))).toEqual({
    statuses: [...Array<number>(65).fill(200), 429],
    closed: true,
  });
});

test("X-36 whoever sends a few ahead gets all answers", async () => {
  site = await serveSite();
  expect(await answersTo(site.port, hello.repeat(60), 500)).toEqual({
    statuses: Array<number>(60).fill(200),
    closed: false,
  });
});

test("X-36 a connection that waits for its answers may send any number, beside a hundred others", async () => {
  site = await serveSite();
  const { port } = site;
  const turns = 50;
  async function one(): Promise<number> {
    let served = 0;
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    await new Promise<void>((resolve) => {
      socket.on("connect", () => socket.write(hello));
      socket.on("close", () => resolve());
      socket.on("data", (chunk) => {
        if (!chunk.toString("latin1").startsWith("HTTP/1.1 200")) return resolve();
        served += 1;
        if (served === turns) resolve();
        else socket.write(hello);
      });
    });
    return served;
  }
  const served = await Promise.all(Array.from({ length: 100 }, one));
  expect(served).toEqual(Array<number>(100).fill(turns));
});
