/** @jsxImportSource #html */
import { Frame } from "../../http/pages/frame.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { scriptAsset, styleAsset } from "./assets.ts";

/** What the header of every page tells, and the token that its forms carry. */
export interface PageContext {
  readonly app: string;
  readonly env: string;
  /** Undefined for who is not signed in. */
  readonly token: string | undefined;
}

interface PageProps {
  readonly context: PageContext;
  readonly title: string;
  readonly at?: "inspects" | "runtime";
  readonly children: Children;
}

export const Page = ({ context: { app, env, token }, title, at, children }: PageProps) => (
  <Frame
    title={`${title} · Lighthouse · ${app}`}
    style={styleAsset.href}
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
