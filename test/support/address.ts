import { Agent, request } from "node:http";

/** The answer to a request from a chosen address of this host. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly code: unknown;
}

/** Sends JSON from one of the addresses 127.0.0.0/8, which are different clients to a server. The caller closes it. */
export function openAddress(url: string, localAddress: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  return {
    post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      const options = {
        method: "POST",
        agent,
        localAddress,
        timeout: 20_000,
        headers: { "content-type": "application/json", ...headers },
      };
      const sent = request(new URL(path, url), options, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("error", reject);
        response.on("end", () => {
          const json: unknown = JSON.parse(text);
          const code: unknown = typeof json === "object" && json !== null ? Reflect.get(json, "code") : undefined;
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], code });
        });
      });
      sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
      return promise;
    },
    close: (): void => agent.destroy(),
  };
}
