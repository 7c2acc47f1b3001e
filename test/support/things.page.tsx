/** @jsxImportSource #html */
import { Form } from "../../src/http/pages/parts/form.tsx";
import type { StaffContext } from "../../src/staff/frame/context.ts";
import { StaffPage } from "../../src/staff/frame/page.tsx";

/** A page with a form that asks for something dangerous. */
export const ThingsPage = ({ context }: { readonly context: StaffContext }) => (
  <StaffPage context={context} title="Things">
    <h1>Things</h1>
    {["1", "2"].map((id) => (
      <Form key={id} action={`/things/${id}/delete`} token={context.token}>
        <input name="reason" />
        <button>Delete {id}</button>
      </Form>
    ))}
  </StaffPage>
);
