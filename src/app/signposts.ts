import type { Signpost } from "../account/index.ts";
import { keepsMails, type Config } from "../config/index.ts";

/** Says where the secret is. The secret itself belongs neither on a page nor on a terminal, whose output may be kept. */
const lighthouseKey = "LIGHTHOUSE_SECRET, in .env.local unless you have set it";

interface LocalSignpost extends Signpost {
  /** Where to find the secret that the page asks for. */
  readonly key?: string;
  /** Whether the page is for people who come by the public address, and not for developers alone. */
  readonly isPublic?: true;
}

/** Lists what a developer's machine serves, for its start page and for the output of the start. */
export const signpostsOf = (config: Config): readonly LocalSignpost[] => [
  { path: "/login", label: "Sign in", about: "The account pages: sign in, register, your account.", isPublic: true },
  { path: "/docs", label: "Documentation", about: "Quick starts, guides and the reference, to be searched." },
  ...(config.http.docsEnabled
    ? [{ path: "/openapi", label: "API reference", about: "Every route, to read and to try." }]
    : []),
  ...(keepsMails(config)
    ? [
        {
          path: "/mails",
          label: "Mails",
          about: "What would have been sent, with links that work.",
        },
      ]
    : []),
  ...(config.lighthouse.secret === ""
    ? []
    : [
        {
          path: "/lighthouse",
          label: "Lighthouse",
          about: `What every request did. Its secret: ${lighthouseKey}.`,
          key: lighthouseKey,
        },
      ]),
];
