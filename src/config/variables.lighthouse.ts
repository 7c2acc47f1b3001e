import { flag, text, type Variable } from "./variable.ts";

const group = "Lighthouse";

export const lighthouseVariables = [
  {
    group,
    name: "LIGHTHOUSE_SECRET",
    kind: text,
    fallback: undefined,
    description: "Opens /lighthouse; without it there is no such page. Generated locally",
    secret: true,
  },
  {
    group,
    name: "LIGHTHOUSE_INSPECT_ENABLED",
    kind: flag,
    fallback: undefined,
    description:
      "Records what requests, jobs, runs and commands did; needs LIGHTHOUSE_SECRET. true locally, else false",
  },
  {
    group,
    name: "LIGHTHOUSE_INSPECT_SAMPLE_RATE",
    kind: { type: "ratio" },
    fallback: "1",
    description: "Share of the requests that is recorded, from 0 to 1; jobs, runs and commands always are",
  },
  {
    group,
    name: "LIGHTHOUSE_INSPECT_MAX_TOTAL",
    kind: { type: "integer", min: 10, max: 100_000 },
    fallback: "2000",
    description: "Records kept; beyond it the oldest go, what went well first",
  },
  {
    group,
    name: "LIGHTHOUSE_INSPECT_MAX_EVENTS",
    kind: { type: "integer", min: 20, max: 2_000 },
    fallback: "200",
    description: "Events kept of one record",
  },
  {
    group,
    name: "LIGHTHOUSE_INSPECT_MAX_BYTES",
    kind: { type: "integer", min: 1_048_576, max: 999_999_999 },
    fallback: "67108864",
    description: "Bytes of all records together",
  },
  {
    group,
    name: "LIGHTHOUSE_INSPECT_PATH",
    kind: text,
    fallback: undefined,
    description:
      "Their file, shared by the processes of an app. lighthouse-app.db or lighthouse-admin.db beside the database",
  },
] as const satisfies readonly Variable[];
