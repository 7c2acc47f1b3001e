import { dirname, join } from "node:path";
import { flag, integer, ratio, text } from "./kinds/kinds.ts";
import { variablesOf, type Section } from "./kinds/variable.ts";

const lighthouse = variablesOf("Lighthouse");

export const lighthouseVariables = {
  secret: lighthouse("LIGHTHOUSE_SECRET", text, {
    description: "Opens /lighthouse; without it there is no such page. Generated locally",
    secret: true,
  }),
  behindProxy: lighthouse("LIGHTHOUSE_BEHIND_PROXY", flag, {
    fallback: "false",
    description: "Serves /lighthouse to requests that a proxy forwarded, too; to them it is absent otherwise",
  }),
  enabled: lighthouse("LIGHTHOUSE_INSPECT_ENABLED", flag, {
    otherwise: ({ local }) => String(local),
    description:
      "Records what requests, jobs, runs and commands did; needs LIGHTHOUSE_SECRET. true locally, else false",
  }),
  sampleRate: lighthouse("LIGHTHOUSE_INSPECT_SAMPLE_RATE", ratio, {
    fallback: "1",
    description: "Share of the requests that is recorded, from 0 to 1; jobs, runs and commands always are",
  }),
  maxTotal: lighthouse("LIGHTHOUSE_INSPECT_MAX_TOTAL", integer(10, 100_000), {
    fallback: "2000",
    description: "Records kept; beyond it the oldest go, what went well first",
  }),
  maxEvents: lighthouse("LIGHTHOUSE_INSPECT_MAX_EVENTS", integer(20, 2_000), {
    fallback: "200",
    description: "Events kept of one record",
  }),
  maxBytes: lighthouse("LIGHTHOUSE_INSPECT_MAX_BYTES", integer(1_048_576, 999_999_999), {
    fallback: "67108864",
    description: "Bytes of all records together",
  }),
  path: lighthouse("LIGHTHOUSE_INSPECT_PATH", text, {
    otherwise: ({ app, text }) => join(dirname(text("DB_DATABASE")), `lighthouse-${app.name}.db`),
    description:
      "Their file, shared by the processes of an app. lighthouse-app.db or lighthouse-admin.db beside the database",
  }),
} as const satisfies Section;
