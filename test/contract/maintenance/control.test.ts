import { describe, expect, test } from "bun:test";
import { bearerOf, controlOf, isOpen, ownAddress } from "../../support/maintenance.ts";
import { startTarget } from "../../support/target.ts";
import { exchange } from "../../unit/http/site.ts";
import { stage } from "../../support/stage.ts";

const { target } = await stage({ roles: ["http"], env: { API_HTTP_HOST: "0.0.0.0" } });

const paths = ["/-/maintenance", "/-/maintenance/enable", "/-/maintenance/disable", "/-/maintenance/enable/"];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "BREW"];

/** Resolves to the bytes of an answer, except for the time. The client sends the request id itself. */
async function bytes(method: string, path: string, lines: readonly string[], body = "", address?: string) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    "X-Request-Id: x-13",
    "Connection: close",
    ...lines,
    ...(body === "" ? [] : [`Content-Length: ${body.length}`]),
  ];
  const answer = await exchange(target.port, `${head.join("\r\n")}\r\n\r\n${body}`, address);
  return answer.replace(/^Date: .*\r\n/im, "");
}

const host = () => `Host: 127.0.0.1:${target.port}`;
const authorization = () => `Authorization: ${bearerOf(target).authorization}`;
const emptyNotFound = /^HTTP\/1\.1 404 Not Found\r\n[\s\S]*\r\n\r\n$/;

describe.skipIf(ownAddress === undefined)(
  "X-13 from another address the control is an absent route, byte for byte",
  () => {
    const far = (method: string, path: string, lines: readonly string[] = [], body = "") =>
      bytes(method, path, [host(), authorization(), ...lines], body, ownAddress);

    const alike = async (): Promise<void> => {
      for (const method of methods) {
        const absent = await far(method, "/-/maintained");
        if (method === "GET" || method === "POST") expect(absent).toMatch(emptyNotFound);
        for (const path of [...paths, "/-/maintenance?x=1", "/-/maintenance/nothing"])
          expect({ method, path, answer: await far(method, path) }).toEqual({ method, path, answer: absent });
      }
    };

    test("for every method, the right token included", alike);

    test("whatever is sent along", async () => {
      for (const [lines, body] of [
        [["Content-Type: application/json"], "{not json"],
        [["Content-Type: text/plain"], "hello"],
        [["Content-Type: application/json"], `"${"x".repeat(70_000)}"`],
        [["Content-Type: application/json", "Content-Length: 99999999"], ""],
        [["Content-Type: multipart/form-data; boundary=x"], "--x--"],
        [["Origin: https://evil.example"], ""],
        [["Cookie: auth_access=x; auth_access=y"], ""],
        [["Accept: application/json"], ""],
        [["X-Forwarded-For: 127.0.0.1"], ""],
      ] as const) {
        for (const path of paths) {
          const absent = await far("POST", "/-/maintained", lines, body);
          expect({ path, lines, answer: await far("POST", path, lines, body) }).toEqual({
            path,
            lines,
            answer: absent,
          });
        }
      }
    });

    test("during maintenance too", async () => {
      await controlOf(target).enable();
      await alike();
      await controlOf(target).disable();
    });

    test("and in the metrics, which anyone may read", async () => {
      await far("POST", "/-/maintenance/enable");
      const metrics = await fetch(`http://127.0.0.1:${target.port}/metrics`);
      expect(await metrics.text()).not.toMatch(/route="[^"]*maintenance/);
    });

    test("and nothing is switched", async () => {
      await far("POST", "/-/maintenance/enable");
      expect(await isOpen(target)).toBe(true);
    });
  },
);

describe("from this host", () => {
  const near = (method: string, path: string, lines: readonly string[]) => bytes(method, path, lines);

  test("the right token is served under each name of the host", async () => {
    for (const name of ["127.0.0.1", "localhost", "LocalHost", "[::1]"]) {
      const answer = await near("GET", "/-/maintenance", [`Host: ${name}:${target.port}`, authorization()]);
      expect(answer).toStartWith("HTTP/1.1 200");
      expect(answer).toEndWith('{"ok":true,"maintenance":false,"driver":"memory"}');
    }
  });

  test("X-14 a wrong or missing token is 401", async () => {
    const token = bearerOf(target).authorization;
    const wrong = [`${token}x`, token.slice(0, -1), token.toUpperCase(), "Bearer", "Bearer ", "Basic YTpi", "x"];
    for (const [method, path] of [
      ["GET", "/-/maintenance"],
      ["POST", "/-/maintenance/enable"],
      ["POST", "/-/maintenance/disable"],
    ] as const) {
      for (const lines of [[], ...wrong.map((value) => [`Authorization: ${value}`])]) {
        const answer = await near(method, path, [host(), ...lines]);
        expect(answer).toStartWith("HTTP/1.1 401");
        expect(answer).toContain('"code":"unauthorized"');
      }
    }
    expect(await isOpen(target)).toBe(true);
  });

  test("X-13 a browser, a foreign Host and a proxy are strangers", async () => {
    const absent = await near("GET", "/-/maintained", [host()]);
    expect(absent).toMatch(emptyNotFound);
    const strangers = [
      ["Host: auth.example"],
      [`Host: auth.example:${target.port}`],
      ["Host: 127.0.0.1"],
      [`Host: 127.0.0.1:${target.port + 1}`],
      [`Host: 127.0.0.1.evil.example:${target.port}`],
      [`Host: 0.0.0.0:${target.port}`],
      ["Host:"],
      ...[
        `Origin: http://127.0.0.1:${target.port}`,
        "Origin: null",
        "Sec-Fetch-Site: same-origin",
        "Forwarded: for=127.0.0.1",
        "Via: 1.1 proxy",
        "X-Forwarded-For: 127.0.0.1",
        "X-Forwarded-Host: 127.0.0.1",
        "X-Forwarded-Proto: http",
        "X-Forwarded-Anything: 1",
        "X-Forwarded: 1",
        "X-Real-IP: 127.0.0.1",
        "CF-Connecting-IP: 127.0.0.1",
        "CF-Ray: 1",
        "True-Client-IP: 127.0.0.1",
        "X-Client-IP: 127.0.0.1",
        "X-Cluster-Client-IP: 127.0.0.1",
        "Fastly-Client-IP: 127.0.0.1",
        "Client-IP: 127.0.0.1",
        "X-Original-URL: /",
        "X-Envoy-External-Address: 127.0.0.1",
        "X-Forwarded-For:",
      ].map((line) => [host(), line]),
    ];
    for (const lines of strangers) {
      for (const path of paths) {
        const answer = await near("GET", path, [...lines, authorization()]);
        expect({ path, lines, answer }).toEqual({ path, lines, answer: absent });
      }
      await near("POST", "/-/maintenance/enable", [...lines, authorization()]);
    }
    expect(await isOpen(target)).toBe(true);
  });

  test("HTTP/1.0 without Host is a stranger", async () => {
    const answer = await exchange(target.port, `GET /-/maintenance HTTP/1.0\r\n${authorization()}\r\n\r\n`);
    expect(answer).toStartWith("HTTP/1.1 404");
  });

  test("a trusted proxy's word does not make a stranger local", async () => {
    const trusting = await startTarget({ roles: ["http"], env: { API_TRUSTED_PROXIES: "127.0.0.0/8" } });
    const answer = await exchange(
      trusting.port,
      `POST /-/maintenance/enable HTTP/1.1\r\nHost: 127.0.0.1:${trusting.port}\r\nX-Forwarded-For: 127.0.0.1\r\n${authorization()}\r\n\r\n`,
    );
    expect(answer).toStartWith("HTTP/1.1 404");
    expect((await controlOf(trusting).enable()).status).toBe(200);
    await trusting.stop();
  });

  test("a method that a path does not have is an absent route", async () => {
    for (const [method, path] of [
      ["GET", "/-/maintenance/enable"],
      ["POST", "/-/maintenance"],
      ["PUT", "/-/maintenance/disable"],
    ] as const) {
      expect(await near(method, path, [host(), authorization()])).toMatch(emptyNotFound);
    }
  });
});
