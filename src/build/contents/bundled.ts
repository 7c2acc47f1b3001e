import { join } from "node:path";
import { npmUrl, type Component } from "./component.ts";

/** What the authors of Swagger UI ask for, by their package for React, which is built from the same sources. */
const asked = {
  release: "5.35.0",
  exactly: {
    "@tanstack/react-virtual": "3.14.10",
    "css.escape": "1.5.1",
    "deep-extend": "0.6.0",
    "js-yaml": "4.3.2",
    "react-copy-to-clipboard": "5.1.1",
    "react-debounce-input": "3.3.0",
    "react-immutable-proptypes": "2.2.0",
    xml: "1.0.1",
  },
  atLeast: {
    "@babel/runtime-corejs3": "7.27.1",
    "base64-js": "1.5.1",
    buffer: "6.0.3",
    classnames: "2.5.1",
    ieee754: "1.2.1",
    immutable: "5.1.9",
    "js-file-download": "0.4.12",
    lodash: "4.18.1",
    "prop-types": "15.8.1",
    randexp: "0.5.3",
    randombytes: "2.1.0",
    "react-immutable-pure-component": "2.2.0",
    "react-redux": "9.3.0",
    "react-syntax-highlighter": "16.0.0",
    redux: "5.0.1",
    remarkable: "2.0.1",
    reselect: "5.1.1",
    "serialize-error": "8.1.0",
    "sha.js": "2.4.12",
    "swagger-client": "3.39.0",
    "url-parse": "1.5.10",
    "xml-but-prettier": "1.0.1",
    zenscroll: "4.0.2",
  },
} as const;

/** How the code of a package says its own version. */
const says: Readonly<Record<string, RegExp>> = {
  autolinker: /\bAutolinker\.version="([\d.]+)"/,
  "core-js-pure": /\.push\(\{version:"([\d.]+)",mode:\w+\?"pure":"global"/,
  dompurify: /\bDOMPurify\.version="([\d.]+)"/,
  react: /\.useTransition=function\(\)\{return \w+\.current\.useTransition\(\)\},\w+\.version="([\d.]+)"/,
  "react-dom": /,version:"([\d.]+)",rendererPackageName:"react-dom"/,
  "short-unique-id": /\.debug=!1,this\.dict=\[\],this\.version="([\d.]+)"/,
};

type Version = Pick<Component, "version" | "atLeast">;

function versionOf(name: string, bundle: string): Version {
  const own = says[name];
  const stated = own?.exec(bundle)?.[1];
  if (own !== undefined && stated === undefined)
    throw new Error(
      `the bundle of Swagger UI no longer says the version of ${name}: see src/build/contents/bundled.ts`,
    );
  const exactly: Readonly<Record<string, string>> = asked.exactly;
  const atLeast: Readonly<Record<string, string>> = asked.atLeast;
  if (stated !== undefined) return { version: stated };
  if (name in exactly) return { version: exactly[name] };
  return name in atLeast ? { version: atLeast[name], atLeast: true } : {};
}

/**
 * Lists what Swagger UI brings in one file, by the list that it publishes beside the file. That list has no versions: they are what the code
 * says of itself, or what the authors ask for; else a part has none.
 */
export async function bundledInSwagger(folder: string, version: string): Promise<readonly Component[]> {
  if (version !== asked.release)
    throw new Error(`src/build/contents/bundled.ts has what Swagger UI ${asked.release} asks for, not ${version}`);
  const read = (name: string): Promise<string> => Bun.file(join(folder, name)).text();
  const [list, bundle, text] = await Promise.all([
    read("log.bundle-sizes.swagger-ui.txt"),
    read("swagger-ui-bundle.js"),
    read("swagger-ui-bundle.js.LICENSE.txt"),
  ]);
  const names = [...list.matchAll(/^([@\w][^:]*): [\d.]+ [KM]?B /gm)].map(([, name = ""]) => name);
  return names.toSorted().map((name): Component => {
    const found = versionOf(name, bundle);
    return { name, ...found, type: "library", purl: npmUrl(name, found.version), text, within: "swagger-ui-dist" };
  });
}

/** Lists what Nodemailer has copied into its sources, which say from where. */
export async function copiedIntoNodemailer(folder: string): Promise<readonly Component[]> {
  const source = await Bun.file(join(folder, "dist/esm/punycode/index.js")).text();
  const [, commit] = /mathiasbynens\/punycode\.js\/blob\/([0-9a-f]{40})\//.exec(source) ?? [];
  const text = /^\/\*([\s\S]*?)\*\//.exec(source)?.[1]?.trim();
  if (commit === undefined || text === undefined)
    throw new Error("Nodemailer no longer says where its Punycode is from: see src/build/contents/bundled.ts");
  return [
    {
      name: "punycode.js",
      version: commit,
      license: "MIT",
      type: "library",
      purl: `pkg:github/mathiasbynens/punycode.js@${commit}`,
      text,
      within: "nodemailer",
    },
  ];
}
