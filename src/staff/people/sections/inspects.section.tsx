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

const Recorded = ({ context, userId, found: { inspects, unread } }: InspectsProps & { found: InspectsOfPerson }) => {
  const { href, times } = context;
  const words = context.words.people.inspects;
  const isOpen = context.reaches("/lighthouse") && context.may("lighthouse.see");
  return (
    <>
      {unread && <p class="soft">{words.unread[unread.why]}</p>}
      <Table
        labelledBy="inspects"
        columns={Object.values(words.columns)}
        rows={inspects.map(({ id, app, name, status, failed, reason, started_at: at }) => [
          <Moment at={Date.parse(at)} times={times} />,
          app,
          isOpen ? <a href={href(`/lighthouse/inspects/${id}`)}>{name}</a> : name,
          <>
            <Tag tone={failed ? "warning" : "good"}>{status}</Tag> {reason}
          </>,
        ])}
        empty={<p class="soft">{words.none}</p>}
      />
      {inspects.length > 0 && isOpen && (
        <p class="soft">
          <a href={href(`/lighthouse?user=${userId}`)}>{words.all}</a>
        </p>
      )}
    </>
  );
};

/** Requests and jobs of both apps that were about the person. */
export const Inspects = ({ context, userId, found }: InspectsProps) => (
  <section>
    <h2 id="inspects">{context.words.people.inspects.title}</h2>
    {found === undefined ? (
      <p class="soft">{context.words.people.inspects.off}</p>
    ) : (
      <Recorded context={context} userId={userId} found={found} />
    )}
  </section>
);
