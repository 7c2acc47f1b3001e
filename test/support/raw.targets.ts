/** Paths that a proxy must not let through, as request lines have them. */
const inside = ["/metrics", "/lighthouse", "/lighthouse/api/runtime", "/-/maintenance", "/-/ready"] as const;

/** Spellings that some programs take for the path. Each function gets the path without its first slash. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `/${path}/`,
  (path) => `/${path}?x=/api/`,
  (path) => `/${path}#/api/`,
  (path) => `/${path};x`,
  (path) => `/${path};/../api`,
  (path) => `//${path}`,
  (path) => `///${path}`,
  (path) => `/./${path}`,
  (path) => `/.//${path}`,
  (path) => `/../${path}`,
  (path) => `/x/../${path}`,
  (path) => `/api/../${path}`,
  (path) => `/api/v1/../../${path}`,
  (path) => `/api/./.././${path}`,
  (path) => `/openapi/../${path}`,
  (path) => `/-/health/../../${path}`,
  (path) => `/%2e/${path}`,
  (path) => `/%2E/${path}`,
  (path) => `/%2e%2e/${path}`,
  (path) => `/.%2e/${path}`,
  (path) => `/api/%2e%2e/${path}`,
  (path) => `/api/%2E./${path}`,
  (path) => `/api/%252e%252e/${path}`,
  (path) => `/api%2f..%2f${path}`,
  (path) => `/api/..%2f${path}`,
  (path) => `/api/..;/${path}`,
  (path) => `/api/..;x=y/${path}`,
  (path) => `/%2f${path}`,
  (path) => `/%5c${path}`,
  (path) => `/\\${path}`,
  (path) => `\\${path}`,
  (path) => `/.\\${path}`,
  (path) => `/..\\${path}`,
  (path) => `/api\\..\\${path}`,
  (path) => `/api/..\\${path}`,
  (path) => `/api/..%5c${path}`,
  (path) => `/api/%2e%2e%5c${path}`,
  (path) => `/api/v1/auth/me/../../../../${path}`,
  (path) => `/%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  (path) => `/%25${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
  (path) => `/${path.slice(0, -1)}%${path.charCodeAt(path.length - 1).toString(16)}`,
  (path) => `/${path.toUpperCase()}`,
  (path) => `/${path}%00`,
  (path) => `/${path}%20`,
  (path) => `/${path}%2f`,
  (path) => `/${path}/.`,
  (path) => `/${path}/x/..`,
  (path) => `/${path}\\`,
  (path) => `/${path}%0d%0a`,
  (path) => `/\t/${path}`,
  (path) => `/api/\t../${path}`,
  (path) => path,
  (path) => `http:/${path}`,
  (path) => `http://auth.example.com/${path}`,
  (path) => `https://auth.example.com/${path}`,
  (path) => `HTTP://AUTH.EXAMPLE.COM/${path}`,
  (path) => `http://127.0.0.1:3000/${path}`,
  (path) => `http://localhost/api/../${path}`,
  (path) => `http://auth.example.com/%2e/${path}`,
  (path) => `http://auth.example.com//${path}`,
  (path) => `http://auth.example.com\\${path}`,
  (path) => `http://auth.example.com/.\\${path}`,
  (path) => `http://auth.example.com?/../${path}`,
  (path) => `http://api/${path}`,
  (path) => `http://ada@auth.example.com/${path}`,
  (path) => `http:///api/../${path}`,
  (path) => `//auth.example.com/${path}`,
  (path) => `ftp://auth.example.com/${path}`,
  (path) => `/http://auth.example.com/../../../${path}`,
  (path) => `/api?/../${path}`,
  (path) => `/api#/../${path}`,
  (path) => `?/${path}`,
  (path) => `*/${path}`,
  (path) => `/\u00c0\u00ae/${path}`,
  (path) => `/%c0%ae%c0%ae/${path}`,
  (path) => `/%u002e/${path}`,
];

/** Returns all spellings of a path. */
export const spellingsOf = (path: string): readonly string[] => spellings.map((spell) => spell(path.slice(1)));

/** All spellings of every path that is for the host alone. */
export const rawTargets: readonly string[] = inside.flatMap(spellingsOf);

export const spellingCount = spellings.length;

const parts = {
  metrics: /http_requests_total|process_start_time/,
  Lighthouse: /lighthouse\/(?:assets|sign-in)|"runtime":/i,
  "readiness in detail": /"checks":/,
  "the maintenance control": /"maintenance":(?:true|false)|"reason":"(?:none|configured|switched)/,
} as const;

/** Says what an answer reveals of the inside; empty for nothing. */
export const insideOf = (answer: string): readonly string[] =>
  Object.entries(parts)
    .filter(([, pattern]) => pattern.test(answer))
    .map(([name]) => name);
