import { expect, test } from "bun:test";
import { documentAddress } from "../../src/idp/strangers/document.address.ts";

const named = { documents: ["agents.example.com", "localhost:8080"], plainHttp: true };

test.each([
  ["a host that is named", "https://agents.example.com/agent.json", true],
  ["another host", "https://evil.example.net/agent.json", false],
  ["a host below it", "https://sub.agents.example.com/agent.json", false],
  ["another port of it", "https://agents.example.com:8443/agent.json", false],
  ["the machine itself without TLS, where it is named", "http://localhost:8080/agent.json", true],
  ["the machine itself without TLS, at another port", "http://localhost:9090/agent.json", false],
  ["a host that is named, without TLS", "http://agents.example.com/agent.json", false],
  ["no path", "https://agents.example.com/", false],
  ["a user", "https://ada@agents.example.com/agent.json", false],
  ["a fragment", "https://agents.example.com/agent.json#a", false],
  ["dots", "https://agents.example.com/a/../agent.json", false],
])("O-87 where hosts are named, a document is read from them alone: %s", (_what, id, isRead) => {
  expect(documentAddress(id, named) !== undefined).toBe(isRead);
});

test("O-87 where any host may have documents, they are read with TLS alone, and where they are off none is", () => {
  const id = "https://evil.example.net/agent.json";
  expect(documentAddress(id, { documents: "any", plainHttp: true })).toEqual({ url: new URL(id), allowPrivate: false });
  expect(documentAddress("http://localhost:8080/agent.json", { documents: "any", plainHttp: true })).toBeUndefined();
  expect(documentAddress(id, { documents: "off", plainHttp: true })).toBeUndefined();
});
