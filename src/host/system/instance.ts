import { connect } from "node:net";

interface InstanceReply {
  readonly status: number;
  /** The beginning of the body, which is enough to recognise an answer. */
  readonly body: string;
}

const answerLimitMs = 5_000;
const mostBytes = 64 * 1024;
const headers = "Accept: application/json\r\nUser-Agent: gatehouse-release";

/**
 * Connects to an instance on this host, so that several questions reach the same process. Rejects if nothing listens there. Answers are
 * bounded in time and size.
 */
export async function openInstance(host: string, port: number) {
  const socket = connect({ host, port, noDelay: true });
  let received = "";
  let hasEnded = false;
  let wake = (): void => {};
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    if (received.length < mostBytes) received += String(chunk);
    wake();
  });
  const end = (): void => {
    hasEnded = true;
    wake();
  };
  socket.on("error", end);
  socket.on("close", end);
  const within = async <T>(act: () => Promise<T>): Promise<T> => {
    const limit = setTimeout(() => socket.destroy(), answerLimitMs);
    try {
      return await act();
    } finally {
      clearTimeout(limit);
    }
  };
  await within(
    () =>
      new Promise<void>((resolve) => {
        socket.once("connect", resolve);
        socket.once("close", resolve);
      }),
  );
  const { localPort } = socket;
  if (hasEnded || localPort === undefined) throw new Error(`nothing answers at ${host} on port ${port}`);

  return {
    localPort,
    get: (path: string): Promise<InstanceReply> =>
      within(async () => {
        received = "";
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
        for (;;) {
          const reply = parse(received);
          if (reply !== undefined) return reply;
          if (hasEnded) throw new Error(`no whole answer for ${path} on port ${port}`);
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }),
    close: () => void socket.destroy(),
  };
}

function parse(text: string): InstanceReply | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
  const length = Math.min(Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? "0"), mostBytes - headEnd - 4);
  const body = text.slice(headEnd + 4);
  return body.length < length ? undefined : { status, body: body.slice(0, length) };
}
