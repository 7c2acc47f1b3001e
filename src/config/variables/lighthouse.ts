import { dirname, join } from "node:path";
import { flag, integer, ratio, text } from "./kinds/kinds.ts";
import type { Section } from "./kinds/variable.ts";

export const lighthouseVariables = {
  secret: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_SECRET",
    kind: text,
    description: "Opens /lighthouse; without it there is no such page. Generated locally",
    secret: true,
  },
  behindProxy: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_BEHIND_PROXY",
    kind: flag,
    fallback: "false",
    description: "Serves /lighthouse to requests that a proxy forwarded, too; to them it is absent otherwise",
  },
  enabled: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_INSPECT_ENABLED",
    kind: flag,
    otherwise: ({ local }) => String(local),
    description:
      "Records what requests, jobs, runs and commands did; needs LIGHTHOUSE_SECRET. true locally, else false",
  },
  sampleRate: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_INSPECT_SAMPLE_RATE",
    kind: ratio,
    fallback: "1",
    description: "Share of the requests that is recorded, from 0 to 1; jobs, runs and commands always are",
  },
  maxTotal: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_INSPECT_MAX_TOTAL",
    kind: integer(10, 100_000),
    fallback: "2000",
    description: "Records kept; beyond it the oldest go, what went well first",
  },
  maxEvents: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_INSPECT_MAX_EVENTS",
    kind: integer(20, 2_000),
    fallback: "200",
    description: "Events kept of one record",
  },
  maxBytes: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_INSPECT_MAX_BYTES",
    kind: integer(1_048_576, 999_999_999),
    fallback: "67108864",
    description: "Bytes of all records together",
  },
  path: {
    group: "Lighthouse",
    name: "LIGHTHOUSE_INSPECT_PATH",
    kind: text,
    otherwise: ({ app, text }) => join(dirname(text("DB_DATABASE")), `lighthouse-${app.name}.db`),
    description:
      "Their file, shared by the processes of an app. lighthouse-app.db or lighthouse-admin.db beside the database",
  },
} as const satisfies Section;
