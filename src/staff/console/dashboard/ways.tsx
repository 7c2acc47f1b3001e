/** @jsxImportSource #html */
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { withQuery } from "../../../http/pages/parts/list.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { count, percent, plainly } from "./axis.ts";

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

const ownWays: Readonly<Record<string, string>> = {
  by_password: "Password",
  by_email: "Mailed link or code",
  by_passkey: "Passkey",
  organization: "Provider of an organization",
};

/** Bars are drawn in hundredths of the whole. */
const whole = 100;

/** By which ways people signed in, each with its share. */
export function Ways({ context, ways, providerName }: WaysProps) {
  const known = ways.filter(({ reason }) => reason !== "");
  const sum = known.reduce((total, { events }) => total + events, 0);
  const unknown = ways.reduce((total, { events }) => total + events, 0) - sum;
  return (
    <>
      {sum > 0 && (
        <table class="ways">
          <caption>By way of sign-in</caption>
          <tbody>
            {known.map(({ reason, events }) => (
              <tr key={reason}>
                <th scope="row">
                  <RowsLink context={context} action="auth.logged-in" reason={reason}>
                    {ownWays[reason] ?? providerName(reason)}
                  </RowsLink>
                </th>
                <td class="bar">
                  <svg viewBox={`0 0 ${whole} 8`} preserveAspectRatio="none" aria-hidden="true">
                    <rect class="tone-line" width={whole} height="8" />
                    <rect class="tone-accent" width={((events / sum) * whole).toFixed(1)} height="8" />
                  </svg>
                </td>
                <td class="number">{plainly(events)}</td>
                <td class="number">{percent(events, sum)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {unknown > 0 && <p class="hint">Of {count(unknown, "sign-in")} an earlier release did not write down the way.</p>}
    </>
  );
}
