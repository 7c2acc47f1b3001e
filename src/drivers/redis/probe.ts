import type { Socket } from "node:net";
import { addressFamily } from "../../core/address/address.family.ts";
import { createWayOut } from "../way.out.ts";
import type { RedisAddress } from "./address.ts";
import { replyInWords, socketErrorInWords } from "./words.ts";

interface ProbeOptions {
  readonly address: RedisAddress;
  readonly ca: string | undefined;
  readonly withinMs: number;
}

const mostCharacters = 4_096;

/** Writes a command as the protocol has it: an array of strings, each with its length in bytes. */
const written = (words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;

function conversation({ user, password, database }: RedisAddress): readonly string[][] {
  const login = password === undefined ? [] : [["AUTH", ...(user === undefined ? [] : [user]), password]];
  return [...login, ...(database === "0" ? [] : [["SELECT", database]]), ["PING"]];
}

async function openSocket({ address: { host, port, tls }, ca }: ProbeOptions): Promise<Socket> {
  if (!tls) return (await import("node:net")).connect({ host, port });
  const { connect } = await import("node:tls");
  return connect({
    host,
    port,
    ...(addressFamily(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
}

/**
 * Says in words why no connection could be made. Bun's client reports a wrong password, a refused certificate and a server that speaks
 * another protocol alike, as a closed connection. This probe has the same conversation by hand and looks at each step.
 */
export async function whyNotConnected(options: ProbeOptions): Promise<string> {
  const { address, withinMs } = options;
  const { promise, resolve } = Promise.withResolvers<string>();
  const commands = conversation(address);
  const shut = createWayOut(address.host)();
  const socket = await openSocket(options);
  let step: "connecting" | "securing" | "asking" = "connecting";
  let received = "";
  const limit = setTimeout(() => resolve(silences[step]), withinMs);
  const isConnected = (): boolean => step !== "connecting";
  const ask = (): void => {
    step = "asking";
    socket.write(commands.map(written).join(""));
  };
  socket.once("connect", () => {
    if (address.tls) step = "securing";
    else ask();
  });
  if (address.tls) socket.once("secureConnect", ask);
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    received = `${received}${chunk}`.slice(0, mostCharacters);
    const lines = received.split("\r\n").slice(0, -1);
    const refusal = lines.find((line) => line.startsWith("-"));
    if (refusal !== undefined) resolve(replyInWords(refusal.slice(1)).words);
    else if (lines.length >= commands.length) resolve("the connection was lost, and it answers again");
  });
  socket.on("error", (error) => resolve(errorInWords(error, step === "securing", address.tls)));
  socket.on("close", () => resolve(closedWords(address.tls)));
  try {
    const words = await promise;
    // The answer is there by now, or is not waited for: who asks has no more time.
    const found = isConnected() ? undefined : await Promise.race([shut, Bun.sleep(0)]);
    return typeof found === "string" ? `${words}; ${found}` : words;
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

const silences = {
  connecting: "no connection comes about in time",
  securing: "it is connected, and does not speak TLS: a URL with redis:// goes without",
  asking: "it is connected, and gives no answer",
} as const;

const closedWords = (tls: boolean): string =>
  `it closed the connection without an answer${tls ? "" : "; a server that speaks TLS wants a URL with rediss://"}`;

function errorInWords(error: Error & { readonly code?: string }, isSecuring: boolean, tls: boolean): string {
  const { code = "" } = error;
  if (code === "ECONNRESET" || code === "EPIPE") return closedWords(tls);
  return isSecuring ? `TLS fails: ${code === "" ? error.message : code}` : socketErrorInWords(code);
}
