/** @jsxImportSource #html */
import { Field, Form } from "../../http/pages/parts/form.tsx";
import type { StaffContext } from "../frame/context.ts";
import { CardPage } from "../frame/page.tsx";
import { newPath, organizationsPath } from "./paths.ts";

export interface NewFields {
  readonly name: string;
  readonly slug: string;
  readonly owner: string;
}

export const emptyFields: NewFields = { name: "", slug: "", owner: "" };

export const fieldsOf = (form: URLSearchParams): NewFields => {
  const textOf = (name: string): string => form.get(name)?.trim() ?? "";
  return { name: textOf("name"), slug: textOf("slug"), owner: textOf("owner") };
};

interface NewProps {
  readonly context: StaffContext;
  readonly fields: NewFields;
  /** Field → its fault, in words. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** The form of another organization. */
export const NewPage = ({ context, fields, errors = {} }: NewProps) => {
  const words = context.words.organizations.making;
  const field = (name: keyof NewFields) =>
    ({ name, type: "text", autocomplete: "off", value: fields[name], error: errors[name] }) as const;
  return (
    <CardPage context={context} title={words.title} at={organizationsPath} cancel={organizationsPath}>
      <Form action={context.href(newPath)} token={context.token}>
        <Field {...field("name")} label={words.name} maxLength={100} autofocus />
        <Field {...field("owner")} label={words.owner} hint={words.ownerHint} maxLength={320} />
        <Field {...field("slug")} label={words.slug} hint={words.slugHint} maxLength={48} isOptional />
        <button class="primary">{words.submit}</button>
      </Form>
    </CardPage>
  );
};
