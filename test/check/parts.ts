import type { Lanes } from "../lanes.ts";
import { secondsOf, secondsOfSources } from "./seconds.ts";

// The check as several parts, for as many machines. Every part has its own build; everything else is in exactly one of them.

/** What one of the parts runs. */
export interface Share {
  readonly lanes: Lanes;
  /** Whether the sources are checked too: types, style and dead code. */
  readonly withSources: boolean;
  /** About how long it takes on two cores, without its build. */
  readonly seconds: number;
}

export type LaneName = keyof Lanes;

export const laneNames = [
  "releases",
  "hosts",
  "chaos",
  "inProcess",
  "processes",
  "binary",
  "postgres",
  "chaosOnPostgres",
  "alone",
] as const satisfies readonly LaneName[];

interface Piece {
  readonly lane: LaneName | "sources";
  readonly path: string;
  readonly seconds: number;
}

export const wholeOf = (lanes: Lanes): Share => ({
  lanes,
  withSources: true,
  seconds: piecesOf(lanes).reduce((sum, { seconds }) => sum + seconds, 0),
});

/** Returns all pieces, the longest first. Their order depends on nothing but the files, so that every machine finds the same parts. */
const piecesOf = (lanes: Lanes): readonly Piece[] =>
  [
    { lane: "sources" as const, path: "", seconds: secondsOfSources },
    ...laneNames.flatMap((lane) => lanes[lane].map((path) => ({ lane, path, seconds: secondsOf(path) }))),
  ].toSorted((one, other) => other.seconds - one.seconds);

/** Divides the check so that every part takes about as long: each piece goes to the part that is shortest so far. */
export function sharesOf(lanes: Lanes, count: number): readonly Share[] {
  const parts = Array.from({ length: count }, () => ({ pieces: new Array<Piece>(), seconds: 0 }));
  for (const piece of piecesOf(lanes)) {
    const shortest = parts.reduce((least, part) => (part.seconds < least.seconds ? part : least));
    shortest.pieces.push(piece);
    shortest.seconds += piece.seconds;
  }
  return parts.map(({ pieces, seconds }) => {
    const of = (name: LaneName): readonly string[] =>
      pieces.flatMap(({ lane, path }) => (lane === name ? [path] : [])).toSorted();
    return {
      lanes: {
        releases: of("releases"),
        hosts: of("hosts"),
        chaos: of("chaos"),
        inProcess: of("inProcess"),
        processes: of("processes"),
        binary: of("binary"),
        postgres: of("postgres"),
        chaosOnPostgres: of("chaosOnPostgres"),
        alone: of("alone"),
      },
      withSources: pieces.some(({ lane }) => lane === "sources"),
      seconds,
    };
  });
}
