/** @jsxImportSource #html */
import type { AccountName } from "../../../auth/index.ts";
import { Field, Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { longestMessage, type MaintenanceView } from "../../../maintenance/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, PersonLink } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";

interface MaintenanceProps {
  readonly context: StaffContext;
  readonly views: readonly MaintenanceView[];
  readonly names: ReadonlyMap<string, AccountName>;
}

interface ViewProps extends Omit<MaintenanceProps, "views"> {
  readonly view: MaintenanceView;
}

const binaryOf = (app: string): string => (app === "app" ? "gatehouse" : `gatehouse-${app}`);

const State = ({ view: { on } }: Pick<ViewProps, "view">) =>
  on === undefined ? (
    <span class="tag">not known here</span>
  ) : on ? (
    <span class="tag warning">on</span>
  ) : (
    <span class="tag good">off</span>
  );

/** Says why maintenance is on, since when, and who switched it on. */
function Why({ context, view: { on, reason, note }, names }: ViewProps): Children {
  if (on !== true) return null;
  if (reason === "environment")
    return (
      <p>
        <code>APP_MAINTENANCE_ENABLED</code> is true: it stays on until the app is started without it.
      </p>
    );
  if (reason === "unreadable") return <p>Its state can't be read, and that counts as on.</p>;
  if (note === undefined) return <p>It was switched on by a command of an earlier release.</p>;
  return (
    <p>
      Since <Ago at={note.since} times={context.times} />, by{" "}
      {note.by === null ? "a command on the host" : <PersonLink context={context} id={note.by} names={names} />}.
      {note.message !== "" && (
        <>
          {" "}
          Reason: <span dir="auto">{note.message}</span>
        </>
      )}
    </p>
  );
}

/** Says why maintenance can't be switched here, and what to do instead. */
function Obstacle({ view: { app, obstacle } }: Pick<ViewProps, "view">) {
  const commands = (
    <>
      On its host use <code>{binaryOf(app)} maintenance:enable</code> and{" "}
      <code>{binaryOf(app)} maintenance:disable</code>.
    </>
  );
  if (obstacle === "unknown")
    return <p>The app has not said yet where it keeps this: start it once on this database. {commands}</p>;
  if (obstacle === "in its memory")
    return (
      <p>
        Each process of the app keeps this in its own memory (<code>APP_MAINTENANCE_DRIVER=memory</code>, or a cache in
        memory), which no other process can reach. With <code>APP_MAINTENANCE_DRIVER=cache</code> and a shared cache it
        is switched here. {commands}
      </p>
    );
  if (obstacle === "out of reach")
    return (
      <p>
        The app keeps this in a Redis that the settings of this one do not name. With the same <code>REDIS_URL</code> or{" "}
        <code>CACHE_URL</code> for both it is switched here. {commands}
      </p>
    );
  return null;
}

function Act({ context, view: { app, isOwn, on, obstacle, onlyThisProcess } }: ViewProps) {
  if (obstacle !== undefined || !context.may("maintenance.switch")) return null;
  const { href, token } = context;
  const action = href(`/maintenance/${app}`);
  if (on === true)
    return (
      <Form action={action} token={token} class="buttons">
        <Hidden fields={[["switch", "off"]]} />
        <button class="primary">Switch off</button>
      </Form>
    );
  return (
    <Form action={action} token={token} class="pile">
      <Hidden fields={[["switch", "on"]]} />
      <Field
        name="message"
        id={`message-${app}`}
        label="Reason"
        type="text"
        autocomplete="off"
        maxLength={longestMessage}
        hint="Staff read it on this page. Visitors don't."
        isOptional
      />
      <p>
        {isOwn
          ? "These pages go away too: they answer 503 until maintenance is switched off on the host, by "
          : "Everybody who uses the app gets a page that says so, and programs get 503, until it is switched off here or by "}
        <code>{binaryOf(app)} maintenance:disable</code>. Jobs and schedules go on.
        {onlyThisProcess &&
          " It holds for the process that shows this page and none beside it, and ends when that process does (APP_MAINTENANCE_DRIVER=memory)."}
      </p>
      <div class="buttons">
        <button class="danger">Switch on</button>
      </div>
    </Form>
  );
}

/** Shows whether each app is in maintenance, since when, by whom and why, with the switch. */
export const MaintenanceStatePage = ({ context, views, names }: MaintenanceProps) => (
  <StaffPage context={context} title="Maintenance" at="/maintenance">
    <h1>Maintenance</h1>
    <div class="pair">
      {views.map((view) => (
        <section key={view.app} class="card stack" aria-labelledby={`maintenance-${view.app}`}>
          <h2 id={`maintenance-${view.app}`}>
            {view.app} <State view={view} />
          </h2>
          {view.isOwn && <p class="hint">The app of these pages.</p>}
          {Why({ context, view, names })}
          <Obstacle view={view} />
          <Act context={context} view={view} names={names} />
        </section>
      ))}
    </div>
  </StaffPage>
);
