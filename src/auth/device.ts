const systems = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X|Darwin/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
] as const;

// The first match counts, so the order matters: most browsers also name the ones they descend from.
const programs = [
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^Wget\//, "Wget"],
  [/^Bun\//, "Bun"],
  [/^okhttp\//, "okhttp"],
  [/^python-requests\/|^Python/, "Python"],
  [/^Go-http-client\//, "Go"],
  [/^PostmanRuntime\//, "Postman"],
] as const;

const first = (table: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  table.find(([pattern]) => pattern.test(text))?.[1];

/** Returns the name of a session for its owner: `Mac · Safari`, `curl`; `unknown` where nothing of it is known. */
export function deviceLabel(userAgent: string, unknown = "Unknown device"): string {
  const parts = [first(systems, userAgent), first(programs, userAgent)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(" · ") : unknown;
}
