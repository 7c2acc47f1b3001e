const byte = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const dotted = String.raw`(?:${byte}\.){3}${byte}`;
const group = String.raw`[\da-f]{1,4}`;

/** Matches an address with `before` groups ahead of `::`, and after it any number of groups that leaves at least one for `::`. */
function shortened(before: number): string {
  const head = before === 0 ? ":" : `(?:${group}:){${before}}`;
  const ways = [`(?::${group}){1,${7 - before}}`, ":"];
  if (before <= 5) ways.unshift(`(?::${group}){0,${5 - before}}:${dotted}`);
  return `${head}(?:${ways.join("|")})`;
}

const whole = [`(?:${group}:){7}(?:${group}|:)`, `(?:${group}:){6}(?:${dotted}|:${group}|:)`];
const ipv4 = new RegExp(`^${dotted}$`);
const ipv6 = new RegExp(
  String.raw`^(?:${[...whole, ...[5, 4, 3, 2, 1, 0].map(shortened)].join("|")})(?:%[\da-z.:-]+)?$`,
  "i",
);

/**
 * Returns 4 or 6 for an IP address (6 also with a zone), and 0 for any other text. The runtime's own `isIP` agrees, but loads sockets and
 * streams, for which every start and every command would wait.
 */
export function addressFamily(text: string): 0 | 4 | 6 {
  if (ipv4.test(text)) return 4;
  return ipv6.test(text) ? 6 : 0;
}
