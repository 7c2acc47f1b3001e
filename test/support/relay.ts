import { connect, createServer, type Socket } from "node:net";

export interface Relay {
  readonly port: number;
  /** Passes nothing on from now on, and closes no connection: like a network that swallows packets. */
  silence(): void;
  /** Passes on the data of new connections. Those that were open during the silence stay silent. */
  forward(): void;
  /** Leads new connections to another server. Those that are open stay with theirs. */
  leadTo(port: number): void;
  stop(): Promise<void>;
}

/** Starts a network between a client and a server on this machine. */
export async function startRelay(serverPort: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  let silences = 0;
  let isSilent = false;
  let leadsTo = serverPort;

  function keep(socket: Socket): Socket {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    return socket;
  }

  const server = createServer((client) => {
    keep(client);
    if (isSilent) return;
    const born = silences;
    const upstream = keep(connect(leadsTo, "127.0.0.1"));
    const passes = (): boolean => born === silences;
    client.on("data", (bytes) => passes() && upstream.write(bytes));
    upstream.on("data", (bytes) => passes() && client.write(bytes));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => passes() && client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the relay has no port");

  return {
    port: address.port,
    silence() {
      isSilent = true;
      silences += 1;
    },
    forward: () => void (isSilent = false),
    leadTo: (port) => void (leadsTo = port),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
