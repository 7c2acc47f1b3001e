export interface HttpReply {
  readonly status: number;
  readonly setCookies: readonly string[];
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** One kept-alive HTTP/1.1 connection with one request in flight, for little work in the load generator. */
export interface HttpConnection {
  send(request: string): Promise<HttpReply>;
  close(): void;
}

export const get = (path: string, cookie?: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${cookieLine(cookie)}\r\n`;

/** Returns a POST request; with `client`, as a proxy passes it on for a client at that address. */
export function post(path: string, body: object | undefined, cookie?: string, client?: string): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = body === undefined ? "" : "Content-Type: application/json\r\n";
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}Content-Length: ${Buffer.byteLength(text)}\r\n${cookieLine(cookie)}${client === undefined ? "" : `X-Forwarded-For: ${client}\r\n`}\r\n${text}`;
}

/** Returns a form of a program, which proves by the header who it is. */
export function postForm(path: string, fields: Readonly<Record<string, string>>, authorization: string): string {
  const text = new URLSearchParams(fields).toString();
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${Buffer.byteLength(text)}\r\nAuthorization: ${authorization}\r\n\r\n${text}`;
}

/** Returns a PATCH request of a service with this secret. */
export function patch(path: string, body: object, secret: string): string {
  const text = JSON.stringify(body);
  return `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nAuthorization: Bearer ${secret}\r\n\r\n${text}`;
}

const cookieLine = (cookie: string | undefined): string => (cookie === undefined ? "" : `Cookie: ${cookie}\r\n`);

export async function openConnection(port: number): Promise<HttpConnection> {
  let received = "";
  let waiting: PromiseWithResolvers<HttpReply> | undefined;

  function fail(error: Error): void {
    waiting?.reject(error);
    waiting = undefined;
  }

  function receive(): void {
    const parsed = parseReply(received);
    if (parsed === undefined) return;
    received = received.slice(parsed.length);
    const { reply } = parsed;
    waiting?.resolve(reply);
    waiting = undefined;
  }

  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
        receive();
      },
      close: () => fail(new Error("the server closed the connection")),
      error: (_socket, error) => fail(error),
    },
  });

  return {
    send(request) {
      if (waiting !== undefined) throw new Error("a request is in flight");
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      if (socket.write(request) !== Buffer.byteLength(request)) fail(new Error("the request did not fit the socket"));
      return promise;
    },
    close: () => void socket.end(),
  };
}

/** Uses that many connections at the same time, and closes them. */
export async function withConnections<Result>(
  port: number,
  many: number,
  use: (connections: readonly HttpConnection[]) => Promise<Result>,
): Promise<Result> {
  const connections = await Promise.all(Array.from({ length: many }, () => openConnection(port)));
  try {
    return await use(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

function parseReply(text: string): { reply: HttpReply; length: number } | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const setCookies: string[] = [];
  const status = Number(text.slice(9, 12));
  let retryAfter: string | undefined;
  let bodyLength = status === 204 ? 0 : undefined;
  for (const line of text.slice(0, headEnd).split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 2);
    switch (line.slice(0, colon).toLowerCase()) {
      case "set-cookie":
        setCookies.push(value);
        break;
      case "retry-after":
        retryAfter = value;
        break;
      case "content-length":
        bodyLength = Number(value);
        break;
    }
  }
  if (bodyLength === undefined) throw new Error("a reply without Content-Length");
  const length = headEnd + 4 + bodyLength;
  return text.length < length
    ? undefined
    : {
        reply: { status, setCookies, retryAfter, body: text.slice(headEnd + 4, length) },
        length,
      };
}
