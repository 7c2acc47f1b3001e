import { createSocket, type RemoteInfo, type Socket } from "node:dgram";

/** What a name is answered with: texts, the name of another one, or a fault. A text is a list of strings as they lie on the wire. */
export type NameAnswer =
  | { readonly texts: readonly (readonly string[])[] }
  | { readonly cname: string; readonly texts: readonly (readonly string[])[] }
  | { readonly code: "SERVFAIL" | "NXDOMAIN" | "REFUSED" }
  | "silence"
  | "nonsense";

export interface NameServer {
  /** As `ORGANIZATIONS_DNS_SERVERS` names it. */
  readonly address: string;
  /** Answers by name. Every other name does not exist. */
  readonly answers: Map<string, NameAnswer>;
  /** Names that were asked for, in order. */
  readonly asked: string[];
  /** How many questions wait for an answer. */
  readonly waiting: () => number;
  /** Waits so long before each answer. */
  delay(ms: number): void;
  stop(): Promise<void>;
}

const codes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
const [cnameType, txtType] = [5, 16];

/** Writes a name as its labels (RFC 1035 §3.1). */
const nameBytes = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, "latin1")])),
    Buffer.from([0]),
  ]);

function record(name: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(60, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), head, data]);
}

const textRecord = (name: string, strings: readonly string[]): Buffer =>
  record(
    name,
    txtType,
    Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "latin1")]))),
  );

/** Returns the name that is asked for, and where the question ends. */
function questionOf(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
}

function answerTo(message: Buffer, answer: NameAnswer | undefined): Buffer | undefined {
  if (answer === "silence") return undefined;
  if (answer === "nonsense") return Buffer.concat([message.subarray(0, 2), Buffer.from("this is no answer")]);
  const { name, end } = questionOf(message);
  const code = answer === undefined ? "NXDOMAIN" : "code" in answer ? answer.code : "NOERROR";
  const owner = answer !== undefined && "cname" in answer ? answer.cname : name;
  const texts = answer !== undefined && "texts" in answer ? answer.texts : [];
  const records = [
    ...(owner === name ? [] : [record(name, cnameType, nameBytes(owner))]),
    ...texts.map((strings) => textRecord(owner, strings)),
  ];
  const head = Buffer.from(message.subarray(0, 12));
  // An answer of a server that looks further by itself (RFC 1035 §4.1.1).
  head.writeUInt16BE(0x8180 | codes[code], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, message.subarray(12, end), ...records]);
}

/** Starts a server of names on a free port of this machine. It speaks UDP alone. */
export async function startNameServer(): Promise<NameServer> {
  const answers = new Map<string, NameAnswer>();
  const asked: string[] = [];
  let [delayMs, waiting] = [0, 0];
  const socket: Socket = createSocket("udp4");

  async function answer(message: Buffer, from: RemoteInfo): Promise<void> {
    const { name } = questionOf(message);
    asked.push(name);
    waiting += 1;
    if (delayMs > 0) await Bun.sleep(delayMs);
    waiting -= 1;
    const bytes = answerTo(message, answers.get(name));
    if (bytes !== undefined) socket.send(bytes, from.port, from.address);
  }

  socket.on("message", (message, from) => void answer(message, from));
  const listening = Promise.withResolvers<void>();
  socket.bind(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answers,
    asked,
    waiting: () => waiting,
    delay(ms) {
      delayMs = ms;
    },
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.close(() => resolve());
      return promise;
    },
  };
}
