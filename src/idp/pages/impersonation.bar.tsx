/** @jsxImportSource #html */
import { impersonationPath, type Browsing } from "../../auth/index.ts";
import { Form } from "../../http/pages/parts/form.tsx";

interface ImpersonationBarProps {
  readonly viewer: Browsing;
  readonly words: { acting(values: { readonly staff: string; readonly person: string }): string; readonly end: string };
  readonly href: (path: string) => string;
}

/** Says that it is not the person who is here, and ends that. Nothing in a page of the person's own. */
export const ImpersonationBar = ({
  viewer: { impersonator, displayName, username },
  words,
  href,
}: ImpersonationBarProps) =>
  impersonator === null ? null : (
    <div class="impersonation" role="status">
      <p>{words.acting({ staff: impersonator.name, person: displayName === "" ? username : displayName })}</p>
      <Form action={href(impersonationPath)} token={undefined}>
        <button>{words.end}</button>
      </Form>
    </div>
  );
