interface Uses {
  /** A code that is typed somewhere. */
  readonly code: string | undefined;
  readonly links: readonly { readonly label: string; readonly address: string }[];
}

/** What a line of a mail says of the line below it: "Verify your email:". */
const link = /^(.{1,200}):\n(https?:\/\/\S+)$/gm;
const code = /^\d{6}$/m;

/** Finds what a mail is for: a code on a line of its own, and links below the words that say where they lead. */
export function usesIn(text: string): Uses {
  const links = [...text.matchAll(link)].map(([, label = "", address = ""]) => ({ label, address }));
  return { code: code.exec(text)?.[0], links };
}
