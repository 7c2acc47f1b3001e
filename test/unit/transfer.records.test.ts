import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { recordsOf, type Layout } from "../../src/auth/transfer/records.ts";

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function read(text: string, layout: Layout, size = 7): Promise<(readonly [number, string | undefined])[]> {
  const found: (readonly [number, string | undefined])[] = [];
  for await (const record of recordsOf(inPieces(new TextEncoder().encode(text), size), layout))
    found.push([record.line, record.text]);
  return found;
}

describe("accounts in a file", () => {
  test("stand in lines of their own, of which empty ones are none", async () => {
    expect(await read('{"a":1}\r\n\n  \n{"b":"é"}', "lines")).toEqual([
      [1, '{"a":1}\r'],
      [4, '{"b":"é"}'],
    ]);
    expect(await read("", "lines")).toEqual([]);
  });

  test("or in a list, also where lines were expected", async () => {
    for (const layout of ["lines", "documents"] as const)
      expect(await read(' [{"a":[{"b":"]}"}]},\n{"c":{}}]\n', layout)).toEqual([
        [1, '{"a":[{"b":"]}"}]}'],
        [2, '{"c":{}}'],
      ]);
  });

  test("or in the list `users` of a document, and in no other", async () => {
    const document = {
      realm: "users",
      roles: { users: [{ no: 1 }] },
      groups: [{ users: [{ no: 2 }] }],
      users: [{ yes: '\\"}{[' }, { yes: { users: [{ inner: true }] } }],
      clients: [{ no: 3 }],
    };
    const found = await read(
      `${JSON.stringify(document, undefined, 2)}\n${JSON.stringify({ users: [{ yes: 3 }] })}`,
      "documents",
    );
    expect(found.map(([, text]): unknown => JSON.parse(text ?? ""))).toEqual([...document.users, { yes: 3 }]);
  });

  test("are the same however the file comes in pieces", async () => {
    const account = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.dictionary(fc.string(), fc.array(fc.string()))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(account),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (users, size, isDocument) => {
          const text = isDocument
            ? JSON.stringify({ before: [{ users }], users, after: { users } })
            : users.map((user) => `${JSON.stringify(user)}\n`).join("");
          const found = await read(text, isDocument ? "documents" : "lines", size);
          expect(found.map(([, record]): unknown => JSON.parse(record ?? ""))).toEqual(
            JSON.parse(JSON.stringify(users)),
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  test("are not kept in memory where they are too long to be accounts", async () => {
    const long = JSON.stringify({ email: "x".repeat(3_000_000) });
    expect(await read(`{"a":1}\n${long}\n{"b":2}`, "lines", 100_000)).toEqual([
      [1, '{"a":1}'],
      [2, undefined],
      [3, '{"b":2}'],
    ]);
    expect(await read(`[{"a":1},\n${long},\n{"b":2}]`, "documents", 100_000)).toEqual([
      [1, '{"a":1}'],
      [2, undefined],
      [3, '{"b":2}'],
    ]);
  });

  test("are text: a file that is not UTF-8 is refused", async () => {
    await expect(recordsOf(inPieces(new Uint8Array([0x7b, 0xff]), 1), "lines").next()).rejects.toThrow();
  });
});
