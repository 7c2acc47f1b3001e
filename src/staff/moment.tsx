/** @jsxImportSource #html */
import { timestamp, type Millis } from "../core/clock.ts";
import type { Times } from "./times.ts";

interface MomentProps {
  readonly at: Millis;
  readonly times: Times;
}

/** Day and time in the reader's zone, which the foot of the page names; to the second where somebody points at it. */
export const Moment = ({ at, times }: MomentProps) => (
  <time datetime={timestamp(at)} title={times.exactly(at)}>
    {times.at(at)}
  </time>
);

/** When something ends by itself, at the end of what is said of it; nothing where it has no end. */
export const Until = ({ at, times }: { readonly at: Millis | null; readonly times: Times }) =>
  at === null ? null : (
    <>
      , until <Moment at={at} times={times} />
    </>
  );

/** How long ago, or in how long; the moment itself beside it, for those who can't point at it. */
export const Ago = ({ at, times }: MomentProps) => (
  <time datetime={timestamp(at)} title={times.exactly(at)}>
    {times.relatively(at)}
    <span class="unseen">, {times.at(at)}</span>
  </time>
);
