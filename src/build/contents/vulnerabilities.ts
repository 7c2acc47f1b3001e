/** What is known of a hole in a part of a binary, which a scanner may report for it. */
export interface KnownHole {
  readonly id: `CVE-${number}-${number}`;
  /** The name of the part, as the list of contents has it. */
  readonly component: string;
  /** The first version of the part without it. */
  readonly fixedIn: string;
  /** Undefined where every version that a binary holds is without it. */
  readonly harmless?: {
    readonly justification: "code_not_reachable" | "requires_configuration" | "protected_by_mitigating_control";
  };
  readonly detail: string;
}

/**
 * The statements of a release about known holes of its parts; CONTRIBUTING.md says when there is a new one. A build fails where the parts
 * contradict a statement, or where it has become pointless.
 */
export const knownHoles: readonly KnownHole[] = [
  {
    id: "CVE-2024-47764",
    component: "cookie",
    fixedIn: "0.7.0",
    harmless: { justification: "protected_by_mitigating_control" },
    detail:
      "Version 0.5.0, which @elysiajs/cookie brings, writes names, paths and domains of cookies without looking at their characters. Here they never come from a request: names and paths are constants, and a start judges AUTH_COOKIE_DOMAIN.",
  },
  {
    id: "CVE-2025-66456",
    component: "elysia",
    fixedIn: "1.4.17",
    detail: "Prototype pollution where several schemas of a route are merged. The version in the binary is without it.",
  },
  {
    id: "CVE-2025-66457",
    component: "elysia",
    fixedIn: "1.4.18",
    detail:
      "Code by way of the settings of cookies. The version in the binary is without it, and cookies are not left to Elysia.",
  },
  {
    id: "CVE-2025-13033",
    component: "nodemailer",
    fixedIn: "7.0.7",
    detail: "Mail to another domain by a quoted address. The version in the binary is without it.",
  },
  {
    id: "CVE-2025-14874",
    component: "nodemailer",
    fixedIn: "7.0.11",
    detail: "An address that takes the parser endless time. The version in the binary is without it.",
  },
];
