import { t } from "elysia";
import { nullable, Timestamp } from "../../../http/index.ts";
import { factorNames } from "../../factor/method.ts";
import { Id } from "../user.view.ts";

/** A program that signs people in here, as answers about accounts show it. */
export const ClientName = t.Object({ id: t.String(), name: t.String() }, { title: "ClientName" });
/** The program that holds a session for its person; null for a session of the person's own. */
export const holder = nullable(ClientName);

/** The member of staff who acts in a person's name; null in a session of the person's own. */
export const Impersonator = nullable(
  t.Object({ id: t.String(), name: t.String() }, { description: "The member of staff who acts in the person's name" }),
);

const Session = t.Object(
  {
    id: Id,
    current: t.Boolean({ description: "Whether it is the one that asks" }),
    device_label: t.String({ description: "Such as `Mac · Safari`" }),
    user_agent: t.String(),
    ip_address: t.String(),
    created_at: Timestamp,
    last_seen_at: Timestamp,
    expires_at: Timestamp,
    remembered: t.Boolean(),
    factor: nullable(
      t.UnionEnum([...factorNames], { description: "The second factor that the session was proven by, if by any" }),
    ),
    client: holder,
    impersonator: Impersonator,
  },
  { title: "Session", description: "Where an account is signed in" },
);
export const SessionList = t.Object({ ok: t.Literal(true), sessions: t.Array(Session) });
