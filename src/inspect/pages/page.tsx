/** @jsxImportSource #html */
import { Frame } from "../../http/pages/frame.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { englishStaffWords } from "../../words/staff.ts";
import { scriptAsset, type LighthouseLook } from "./assets.ts";

/** The contents of every page's header, and the token for the page's forms. */
export interface PageContext {
  readonly app: string;
  readonly env: string;
  readonly look: Pick<LighthouseLook, "style" | "schemes">;
  /** Undefined while nobody is signed in. */
  readonly token: string | undefined;
}

interface PageProps {
  readonly context: PageContext;
  readonly title: string;
  readonly at?: "inspects" | "runtime";
  readonly children: Children;
}

export const Page = ({ context: { app, env, look, token }, title, at, children }: PageProps) => (
  <Frame
    words={englishStaffWords().frame}
    title={`${title} · Lighthouse · ${app}`}
    style={look.style}
    schemes={look.schemes}
    script={scriptAsset.href}
    brand={{ name: "Lighthouse", href: "/lighthouse", place: `${app} · ${env}` }}
    navigation={
      token === undefined
        ? undefined
        : {
            links: [
              { href: "/lighthouse", label: "Inspects", isCurrent: at === "inspects" },
              { href: "/lighthouse/runtime", label: "Runtime", isCurrent: at === "runtime" },
            ],
            signOut: "/lighthouse/sign-out",
            token,
          }
    }
  >
    {children}
  </Frame>
);
