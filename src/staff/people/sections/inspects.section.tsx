/** @jsxImportSource #html */
import { Table } from "../../../http/pages/parts/list.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { Moment } from "../../frame/parts.tsx";
import { Tag } from "../parts.tsx";

/** The part of an inspect that the page shows; Lighthouse has a page with the rest. */
interface InspectOfPerson {
  readonly id: string;
  readonly app: string;
  readonly name: string;
  readonly status: string;
  readonly failed: boolean;
  readonly reason: string | null;
  readonly started_at: string;
}

type WhyUnread = "absent" | "other_release" | "unreadable";

export interface InspectsOfPerson {
  readonly inspects: readonly InspectOfPerson[];
  /** The app whose inspects could not be read. */
  readonly unread?: { readonly app: string; readonly why: WhyUnread };
}

interface InspectsProps {
  readonly context: StaffContext;
  readonly userId: string;
  /** Undefined where nothing is recorded. */
  readonly found: InspectsOfPerson | undefined;
}

const unreadInWords: Readonly<Record<WhyUnread, string>> = {
  absent: "The app that people sign in to has recorded nothing on this host.",
  other_release: "What the app that people sign in to has recorded is of another release, and can't be shown here.",
  unreadable: "What the app that people sign in to has recorded can't be read now.",
};

const Recorded = ({ context, userId, found: { inspects, unread } }: InspectsProps & { found: InspectsOfPerson }) => {
  const { href, times } = context;
  const isOpen = context.reaches("/lighthouse") && context.may("lighthouse.see");
  return (
    <>
      {unread && <p class="soft">{unreadInWords[unread.why]}</p>}
      <Table
        labelledBy="inspects"
        columns={["When", "App", "What", "Status"]}
        rows={inspects.map(({ id, app, name, status, failed, reason, started_at: at }) => [
          <Moment at={Date.parse(at)} times={times} />,
          app,
          isOpen ? <a href={href(`/lighthouse/inspects/${id}`)}>{name}</a> : name,
          <>
            <Tag tone={failed ? "warning" : "good"}>{status}</Tag> {reason}
          </>,
        ])}
        empty={<p class="soft">Nothing that was about the account is kept.</p>}
      />
      {inspects.length > 0 && isOpen && (
        <p class="soft">
          <a href={href(`/lighthouse?user=${userId}`)}>All in Lighthouse</a>
        </p>
      )}
    </>
  );
};

/** Requests and jobs of both apps that were about the person. */
export const Inspects = ({ context, userId, found }: InspectsProps) => (
  <section>
    <h2 id="inspects">In Lighthouse</h2>
    {found === undefined ? (
      <p class="soft">Requests and jobs are not recorded here.</p>
    ) : (
      <Recorded context={context} userId={userId} found={found} />
    )}
  </section>
);
