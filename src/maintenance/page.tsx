/** @jsxImportSource #html */
import { styleTokens } from "../http/pages/style/assets.ts";
import { Document, writeDocument } from "../http/pages/document.tsx";
import { inlineStyle } from "../http/pages/jsx-runtime.ts";
import { hashSource, pagePolicy } from "../http/pages/policy.ts";
import style from "./style.css" with { type: "text" };

const english = {
  title: "Down for maintenance",
  text: "We are working on this service, and it will be back shortly. Try again in a few minutes.",
};
const german: typeof english = {
  title: "Wartungsarbeiten",
  text: "Wir arbeiten an diesem Dienst, und er ist in Kürze wieder da. Versuchen Sie es in ein paar Minuten noch einmal.",
};

export type MaintenancePage = ReturnType<typeof maintenancePage>;

export function maintenancePage(name: string, brandStyle: string) {
  const sheet = `${styleTokens}${brandStyle}${style}`;
  const policy = pagePolicy({ style: hashSource(sheet), image: "data:" });
  const write = (language: string, { title, text }: typeof english): string =>
    writeDocument(
      <Document language={language} title={title} style={inlineStyle(sheet)}>
        <main>
          <p class="app">{name}</p>
          <h1>{title}</h1>
          <p>{text}</p>
        </main>
      </Document>,
    );
  const inEnglish = write("en", english);
  const pages = new Map([
    ["en", inEnglish],
    ["de", write("de", german)],
  ]);
  return {
    /** Returns the page in the first of the reader's languages (BCP 47) that it is written in, otherwise in English. */
    html(tags: readonly string[]): string {
      const language = tags.map((tag) => tag.toLowerCase().split("-")[0] ?? "").find((each) => pages.has(each));
      return pages.get(language ?? "en") ?? inEnglish;
    },
    /** A Content-Security-Policy that allows the one style sheet of the page, and loads nothing. */
    policy,
  };
}
