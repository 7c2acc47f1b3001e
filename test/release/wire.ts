export interface Reply {
  readonly status: number;
  /** `name=value` of each cookie that was set. */
  readonly cookies: readonly string[];
  readonly body: string;
}

/**
 * One HTTP/1.1 connection that retries nothing and forgives nothing: anything but a complete answer is a failed request. It obeys
 * `Connection: close`, and notices a connection that was closed while idle before using it again.
 */
export interface Wire {
  send(request: string): Promise<Reply>;
  /** Whether another request may follow. */
  isOpen(): boolean;
  close(): void;
}

const answerLimitMs = 15_000;

export async function openWire(host: string, port: number): Promise<Wire> {
  let received = "";
  let isOpen = true;
  let waiting: PromiseWithResolvers<Reply> | undefined;

  function fail(reason: string): void {
    isOpen = false;
    waiting?.reject(new Error(received === "" ? reason : `${reason} in the middle of an answer`));
    waiting = undefined;
  }

  const socket = await Bun.connect({
    hostname: host,
    port,
    socket: {
      data(_socket, chunk) {
        received += chunk.toString("latin1");
        const answer = parse(received);
        if (answer === undefined || waiting === undefined) return;
        received = "";
        if (answer.closes) isOpen = false;
        waiting.resolve(answer.reply);
        waiting = undefined;
      },
      end: () => fail("closed"),
      close: () => fail("closed"),
      error: (_socket, error) => fail(error.message),
    },
  });

  return {
    isOpen: () => isOpen,
    async send(request) {
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      const limit = setTimeout(() => fail("timed out"), answerLimitMs);
      try {
        if (socket.write(request) !== request.length) fail("not sent whole");
        return await promise;
      } finally {
        clearTimeout(limit);
      }
    },
    close() {
      isOpen = false;
      socket.end();
    },
  };
}

function parse(text: string): { readonly reply: Reply; readonly closes: boolean } | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const cookies: string[] = [];
  let length = -1;
  let closes = false;
  for (const line of text.slice(0, headEnd).split("\r\n").slice(1)) {
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).trim();
    const name = line.slice(0, colon).toLowerCase();
    if (name === "content-length") length = Number(value);
    else if (name === "connection") closes = value.toLowerCase() === "close";
    else if (name === "set-cookie") cookies.push(value.split(";", 1)[0] ?? "");
  }
  const body = text.slice(headEnd + 4);
  if (length === -1) throw new Error(`an answer without Content-Length: ${text.slice(0, 200)}`);
  if (body.length < length) return undefined;
  return { reply: { status: Number(text.slice(9, 12)), cookies, body }, closes };
}
