/** What is known of where a part comes from and how old it is. */
export interface Origin {
  /** The repository at GitHub that it was taken from, or a name for what has none there. */
  readonly repository: string;
  /** The folder in that repository. */
  readonly folder?: string;
  /** By what name `process.versions` of the runtime has its commit or its version. */
  readonly named?: string;
  readonly commit?: string;
  /** A release of the authors, and the tag that it has there. */
  readonly release?: string;
  readonly tag?: string;
  /** The part is this release or a later one: the runtime does not say which. */
  readonly atLeast?: true;
}

/** A part that Bun is linked with, as Bun's own licence page lists it: `test/artefact` compares the two. */
export interface BunPart {
  readonly name: string;
  readonly url: string;
  /** An SPDX expression. */
  readonly license: string;
  /** Names of the licence texts in `src/build/licences`. */
  readonly texts: readonly string[];
  readonly origin: Origin;
  /** Vendor and product, as the National Vulnerability Database has it where it has it. The first one is what it calls it now. */
  readonly cpe?: readonly string[];
}

/** The version of Bun that these origins are of. Another one needs another look: see CONTRIBUTING.md. */
export const originsOf = "1.4.5";
const commitOfBun = "a7733435cf40429e3b35c36072769df2052b80f1";

const own = (name: string, url: string, license: string, origin: Origin, cpe?: readonly string[]): BunPart => ({
  name,
  url,
  license,
  texts: [`${name}.txt`],
  origin,
  ...(cpe !== undefined && { cpe }),
});
const apache = (name: string, url: string, origin: Origin): BunPart => ({
  name,
  url,
  license: "Apache-2.0",
  texts: ["Apache-2.0.txt"],
  origin,
});

export const bunParts: readonly BunPart[] = [
  {
    name: "JavaScriptCore",
    url: "https://github.com/oven-sh/WebKit",
    license: "LGPL-2.0-or-later AND BSD-2-Clause",
    texts: ["JavaScriptCore.txt", "LGPL-2.0.txt"],
    origin: { repository: "oven-sh/WebKit", named: "webkit", commit: "d6375c72affe0f70222cdcb45012b10f0bf3a9d5" },
  },
  own(
    "boringssl",
    "https://boringssl.googlesource.com/boringssl/",
    "OpenSSL AND SSLeay-standalone AND ISC AND MIT AND BSD-3-Clause",
    { repository: "oven-sh/boringssl", named: "boringssl", commit: "fe703e9faa3bfd22b04eb192066856557b7e015c" },
  ),
  own(
    "brotli",
    "https://github.com/google/brotli",
    "MIT",
    { repository: "google/brotli", release: "1.1.0", tag: "v1.1.0", atLeast: true },
    ["google:brotli"],
  ),
  own(
    "libarchive",
    "https://github.com/libarchive/libarchive",
    "BSD-2-Clause AND BSD-3-Clause AND MIT",
    {
      repository: "libarchive/libarchive",
      named: "libarchive",
      commit: "27cbc7827172698143e440801fc0ba39ccb4f1f5",
      release: "3.8.9",
    },
    ["libarchive:libarchive"],
  ),
  own("lol-html", "https://github.com/cloudflare/lol-html", "BSD-3-Clause", {
    repository: "oven-sh/lol-html",
    named: "lolhtml",
    commit: "725ce499aa9b71e38b7a2d0a9fbb6d7294a4079e",
  }),
  own("ls-hpack", "https://github.com/litespeedtech/ls-hpack", "MIT AND BSD-2-Clause", {
    repository: "litespeedtech/ls-hpack",
    named: "lshpack",
    commit: "cf0f70dd10b352194c97448eb5d00b4aa484f531",
    release: "2.3.4",
    atLeast: true,
  }),
  own("ls-qpack", "https://github.com/litespeedtech/ls-qpack", "MIT", {
    repository: "litespeedtech/ls-qpack",
    release: "2.6.2",
    tag: "v2.6.2",
    atLeast: true,
  }),
  own(
    "lsquic",
    "https://github.com/litespeedtech/lsquic",
    "MIT AND BSD-3-Clause",
    { repository: "litespeedtech/lsquic", release: "4.9.3", tag: "v4.9.3", atLeast: true },
    ["litespeedtech:lsquic"],
  ),
  own("mimalloc", "https://github.com/microsoft/mimalloc", "MIT", {
    repository: "oven-sh/mimalloc",
    named: "mimalloc",
    commit: "92ef6587c57b262f6e6abf513f7776a2f8d12aeb",
    release: "3.5.3",
  }),
  own("picohttp", "https://github.com/h2o/picohttpparser", "MIT", {
    repository: "h2o/picohttpparser",
    named: "picohttpparser",
    commit: "f4d94b48b31e0abae029ebeafcfd9ca0680ede58",
  }),
  own(
    "zstd",
    "https://github.com/facebook/zstd",
    "BSD-3-Clause",
    {
      repository: "facebook/zstd",
      named: "zstd",
      commit: "f8745da6ff1ad1e7bab384bd1f9d742439278e99",
      release: "1.5.7",
    },
    ["facebook:zstandard"],
  ),
  apache("simdutf", "https://github.com/simdutf/simdutf", { repository: "simdutf/simdutf" }),
  {
    name: "tinycc",
    url: "https://github.com/tinycc/tinycc",
    license: "LGPL-2.1-or-later",
    texts: ["LGPL-2.1.txt"],
    origin: {
      repository: "oven-sh/tinycc",
      named: "tinycc",
      commit: "05f0fafaa3be31e31d7b4b5c17dc60f62c991171",
      release: "0.9.28rc",
      atLeast: true,
    },
    cpe: ["tinycc:tinycc"],
  },
  apache("uSockets", "https://github.com/uNetworking/uSockets", {
    repository: "oven-sh/bun",
    folder: "packages/bun-usockets",
    named: "usockets",
    commit: commitOfBun,
  }),
  own("zlib-ng", "https://github.com/zlib-ng/zlib-ng", "Zlib", {
    repository: "zlib-ng/zlib-ng",
    named: "zlib",
    commit: "12731092979c6d07f42da27da673a9f6c7b13586",
    release: "2.3.3",
  }),
  own(
    "c-ares",
    "https://github.com/c-ares/c-ares",
    "MIT",
    {
      repository: "c-ares/c-ares",
      named: "ares",
      commit: "0b88066f79ac9745d6819899f1794df91b73c873",
      release: "1.34.8",
      atLeast: true,
    },
    ["c-ares:c-ares", "c-ares_project:c-ares"],
  ),
  own(
    "libicu",
    "https://github.com/unicode-org/icu",
    "Unicode-3.0",
    { repository: "unicode-org/icu", named: "icu", release: "78.3", tag: "release-78.3" },
    ["unicode:international_components_for_unicode", "icu-project:international_components_for_unicode"],
  ),
  own("libbase64", "https://github.com/aklomp/base64", "BSD-2-Clause", { repository: "aklomp/base64" }),
  own("libdeflate", "https://github.com/ebiggers/libdeflate", "MIT", {
    repository: "ebiggers/libdeflate",
    named: "libdeflate",
    commit: "92e6a0db9fa848d742f9eb286c92afc60f2c3dda",
    release: "1.26",
  }),
  own(
    "libjpeg-turbo",
    "https://github.com/libjpeg-turbo/libjpeg-turbo",
    "BSD-3-Clause AND IJG AND Zlib",
    { repository: "libjpeg-turbo/libjpeg-turbo", release: "3.1.4", tag: "3.1.4", atLeast: true },
    ["libjpeg-turbo:libjpeg-turbo"],
  ),
  own("libspng", "https://github.com/randy408/libspng", "BSD-2-Clause AND libpng-2.0", {
    repository: "randy408/libspng",
    release: "0.7.4",
    tag: "v0.7.4",
    atLeast: true,
  }),
  own(
    "libwebp",
    "https://github.com/webmproject/libwebp",
    "BSD-3-Clause",
    { repository: "webmproject/libwebp", release: "1.6.0", tag: "v1.6.0", atLeast: true },
    ["webmproject:libwebp"],
  ),
  apache("highway", "https://github.com/google/highway", {
    repository: "google/highway",
    release: "1.4.0",
    tag: "1.4.0",
    atLeast: true,
  }),
  own("HdrHistogram_c", "https://github.com/HdrHistogram/HdrHistogram_c", "BSD-2-Clause OR CC0-1.0", {
    repository: "HdrHistogram/HdrHistogram_c",
    release: "0.11.9",
    tag: "0.11.9",
    atLeast: true,
  }),
  {
    name: "sqlite",
    url: "https://sqlite.org",
    license: "blessing",
    texts: ["sqlite.txt"],
    origin: { repository: "sqlite", named: "sqlite", release: "3.54.1" },
    cpe: ["sqlite:sqlite"],
  },
  apache("uWebsockets", "https://github.com/jarred-sumner/uwebsockets", {
    repository: "oven-sh/bun",
    folder: "packages/bun-uws",
    named: "uwebsockets",
    commit: commitOfBun,
  }),
];
