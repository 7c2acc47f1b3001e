import { connect, createServer, type Socket } from "node:net";

/** A line between an app and Gatehouse, which can be cut. */
export interface Line {
  readonly url: string;
  /** Has nobody get through until the line is mended. */
  cut(): void;
  mend(): void;
  stop(): Promise<void>;
}

export async function startLine(targetPort: number): Promise<Line> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(targetPort, "127.0.0.1");
    const end = (): void => {
      open.delete(near);
      near.destroy();
      far.destroy();
    };
    open.add(near);
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
    near.pipe(far);
    far.pipe(near);
    return undefined;
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the line has no port");
  const endAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true;
      endAll();
    },
    mend: () => void (isCut = false),
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      endAll();
      return promise;
    },
  };
}
