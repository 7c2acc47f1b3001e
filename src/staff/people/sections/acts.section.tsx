/** @jsxImportSource #html */
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { rolesFor, isStaff, staffRoles, type StaffAct } from "../../../core/people/staff.ts";
import { acts, type ActName } from "../acts.ts";
import { helpFor } from "../help.ts";
import { type AboutPerson, firstPasswordLabel } from "../parts.tsx";

interface ActProps extends AboutPerson {
  readonly act: ActName;
  readonly label: string;
  readonly isDanger?: boolean;
  readonly children: Children;
}

const Act = ({ context: { href, token, mayTo }, person, act, label, isDanger = false, children }: ActProps) =>
  !mayTo(acts[act].may, person.roles) ? null : (
    <li>
      <Form action={href(`/people/${person.id}/${act}`)} token={token}>
        <button class={isDanger ? "danger" : undefined}>{label}</button>
      </Form>
      <p class="hint">{children}</p>
    </li>
  );

const Roles = ({ context: { href, token }, person: { id, roles } }: AboutPerson) => {
  const action = href(`/people/${id}/roles`);
  return (
    <li>
      <h3>Roles</h3>
      {roles.map((role) => (
        <Form key={role} action={action} token={token} class="role">
          <Hidden fields={[["remove", role]]} />
          <span>{role}</span>
          <button aria-label={`Take away the role ${role}`}>Take away</button>
        </Form>
      ))}
      <Form action={action} token={token} class="role">
        <label class="unseen" for="add">
          Role to give
        </label>
        <input
          id="add"
          name="add"
          required
          maxlength={32}
          pattern="[a-z][a-z0-9\-]*"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          aria-describedby="add-below"
        />
        <button>Give</button>
      </Form>
      <p id="add-below" class="hint">
        The name of a role. <code>admin</code>, <code>support</code> and <code>auditor</code> open these pages; what
        others mean is up to your apps.
      </p>
    </li>
  );
};

const Ending = (props: AboutPerson) => {
  const { context, person } = props;
  if (person.id === context.viewer.session.userId)
    return (
      <li>
        <a class="button" href={context.href("/two-step")}>
          Two-step sign-in
        </a>
        <p class="hint">This is you. Another admin can disable or delete the account.</p>
      </li>
    );
  return (
    <>
      {person.active && (
        <Act {...props} act="disable" label="Disable" isDanger>
          Signs out every device at once, and lets nobody in until it is enabled again.
        </Act>
      )}
      {context.mayTo("people.delete", person.roles) && (
        <li>
          <a class="danger" href={context.href(`/people/${person.id}/delete`)}>
            Delete…
          </a>
          <p class="hint">For good. You are asked once more.</p>
        </li>
      )}
    </>
  );
};

/** Says why there are few buttons, or none. */
const Bounds = ({ context: { viewer, mayTo }, person: { roles } }: AboutPerson) => {
  if (mayTo("people.roles", roles)) return null;
  const own = staffRoles.filter((role) => viewer.roles.includes(role)).join(" and ");
  const text = !mayTo("people.unlock", [])
    ? "changes nothing here."
    : isStaff(roles)
      ? `does nothing to an account of staff, which this is: ask somebody with the role ${rolesFor("people.roles").join(" or ")}.`
      : "does these. It takes an admin to enable, disable or delete an account, to vouch for its address and to give it roles.";
  return (
    <p class="hint">
      The role <strong>{own}</strong> {text}
    </p>
  );
};

/** The act of looking at an account in its person's name; undefined where none of the staff may. */
export type Impersonation = StaffAct | undefined;

/** Acts that have no button beside a hindrance. */
export const ActsSection = ({ impersonation, ...props }: AboutPerson & { readonly impersonation: Impersonation }) => {
  const { context, person } = props;
  const offered = new Set(
    [...person.standing, ...person.troubles].flatMap((reason) =>
      helpFor(reason, person).remedies.map(({ act }) => act),
    ),
  );
  return (
    <section class="card" id="acts">
      <h2>What you can do</h2>
      <Bounds context={context} person={person} />
      <ul class="acts">
        {person.active && !offered.has("send-reset") && (
          <Act {...props} act="send-reset" label={person.hasPassword ? "Mail a reset link" : firstPasswordLabel}>
            {person.hasPassword
              ? "Goes to the address of the account. The person sets a new password by it."
              : "Goes to the address of the account, and is good for days. The person chooses their first password by it."}
          </Act>
        )}
        {person.active && !person.emailVerified && !offered.has("send-verification") && (
          <Act {...props} act="send-verification" label="Mail the link for the address">
            Goes to the address of the account. By it the person shows that the address is theirs.
          </Act>
        )}
        {!person.emailVerified && !offered.has("verify") && (
          <Act {...props} act="verify" label="Count as proven">
            Takes the address as proven without a mail. Do so if you know by other means whose it is.
          </Act>
        )}
        {person.factors.length > 0 && !offered.has("reset-factors") && person.id !== context.viewer.session.userId && (
          <Act {...props} act="reset-factors" label="Reset the second step" isDanger>
            For a lost phone: the password alone signs in again. Make sure first that it is them. Every session ends.
          </Act>
        )}
        {impersonation && context.may(impersonation) && person.active && !isStaff(person.roles) && (
          <li>
            <a class="button" href={context.href(`/people/${person.id}/impersonate`)}>
              Look at the account…
            </a>
            <p class="hint">With the eyes of the person, for 15 minutes. You give a reason, and they are told.</p>
          </li>
        )}
        <Act {...props} act="end-sessions" label="End all sessions">
          Signs out every device, in both apps, and ends the personal tokens of the person's scripts.
        </Act>
        {context.mayTo("people.export", person.roles) && (
          <li>
            <a class="button" href={context.href(`/people/${person.id}/export`)}>
              Write out the data…
            </a>
            <p class="hint">All that is kept of the person, as a file for them. You are asked once more.</p>
          </li>
        )}
        {context.mayTo("people.roles", person.roles) && <Roles {...props} />}
        <Ending {...props} />
      </ul>
    </section>
  );
};
