/** @jsxImportSource #html */
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { withQuery } from "../../../http/pages/parts/list.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { inWords } from "../../../core/text/in.words.ts";
import { percent } from "./axis.ts";

interface WaysProps {
  readonly context: StaffContext;
  /** How often people signed in by each way, the most frequent first. The way is empty where nobody wrote it down. */
  readonly ways: readonly { readonly reason: string; readonly events: number }[];
  /** Returns what people call a provider. */
  readonly providerName: (provider: string) => string;
}

interface RowsLinkProps {
  readonly context: StaffContext;
  readonly action: string;
  readonly reason: string;
  readonly children: Children;
}

/** Leads to the rows of the audit log that were counted, for those who may read it. */
export const RowsLink = ({ context, action, reason, children }: RowsLinkProps) =>
  context.may("audit.see") ? (
    <a href={context.href(withQuery("/audit", { action, reason }))}>{children}</a>
  ) : (
    <>{children}</>
  );

/** Bars are drawn in hundredths of the whole. */
const whole = 100;

/** By which ways people signed in, each with its share. */
export function Ways({ context, ways, providerName }: WaysProps) {
  const { caption, unknown: unknownWays, ...own } = context.words.dashboard.signIns.ways;
  const nameOf = (reason: string): string => (Object.hasOwn(own, reason) ? inWords(own, reason) : providerName(reason));
  const known = ways.filter(({ reason }) => reason !== "");
  const sum = known.reduce((total, { events }) => total + events, 0);
  const unknown = ways.reduce((total, { events }) => total + events, 0) - sum;
  return (
    <>
      {sum > 0 && (
        <table class="ways">
          <caption>{caption}</caption>
          <tbody>
            {known.map(({ reason, events }) => (
              <tr key={reason}>
                <th scope="row">
                  <RowsLink context={context} action="auth.logged-in" reason={reason}>
                    {nameOf(reason)}
                  </RowsLink>
                </th>
                <td class="bar">
                  <svg viewBox={`0 0 ${whole} 8`} preserveAspectRatio="none" aria-hidden="true">
                    <rect class="tone-line" width={whole} height="8" />
                    <rect class="tone-accent" width={((events / sum) * whole).toFixed(1)} height="8" />
                  </svg>
                </td>
                <td class="number">{context.count(events)}</td>
                <td class="number">{percent(events, sum)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {unknown > 0 && <p class="hint">{unknownWays({ count: unknown })}</p>}
    </>
  );
}
