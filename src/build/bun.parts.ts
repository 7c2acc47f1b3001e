/** A part that Bun is linked with, as Bun's own licence page lists it: `test/artefact` compares the two. */
export interface BunPart {
  readonly name: string;
  readonly url: string;
  /** An SPDX expression. */
  readonly license: string;
  /** Names of the licence texts in `src/build/licences`. */
  readonly texts: readonly string[];
}

const own = (name: string, url: string, license: string): BunPart => ({ name, url, license, texts: [`${name}.txt`] });
const apache = (name: string, url: string): BunPart => ({
  name,
  url,
  license: "Apache-2.0",
  texts: ["Apache-2.0.txt"],
});

export const bunParts: readonly BunPart[] = [
  {
    name: "JavaScriptCore",
    url: "https://github.com/oven-sh/WebKit",
    license: "LGPL-2.0-or-later AND BSD-2-Clause",
    texts: ["JavaScriptCore.txt", "LGPL-2.0.txt"],
  },
  own(
    "boringssl",
    "https://boringssl.googlesource.com/boringssl/",
    "OpenSSL AND SSLeay-standalone AND ISC AND MIT AND BSD-3-Clause",
  ),
  own("brotli", "https://github.com/google/brotli", "MIT"),
  own("libarchive", "https://github.com/libarchive/libarchive", "BSD-2-Clause AND BSD-3-Clause AND MIT"),
  own("lol-html", "https://github.com/cloudflare/lol-html", "BSD-3-Clause"),
  own("ls-hpack", "https://github.com/litespeedtech/ls-hpack", "MIT AND BSD-2-Clause"),
  own("ls-qpack", "https://github.com/litespeedtech/ls-qpack", "MIT"),
  own("lsquic", "https://github.com/litespeedtech/lsquic", "MIT AND BSD-3-Clause"),
  own("mimalloc", "https://github.com/microsoft/mimalloc", "MIT"),
  own("picohttp", "https://github.com/h2o/picohttpparser", "MIT"),
  own("zstd", "https://github.com/facebook/zstd", "BSD-3-Clause"),
  apache("simdutf", "https://github.com/simdutf/simdutf"),
  { name: "tinycc", url: "https://github.com/tinycc/tinycc", license: "LGPL-2.1-or-later", texts: ["LGPL-2.1.txt"] },
  apache("uSockets", "https://github.com/uNetworking/uSockets"),
  own("zlib-ng", "https://github.com/zlib-ng/zlib-ng", "Zlib"),
  own("c-ares", "https://github.com/c-ares/c-ares", "MIT"),
  own("libicu", "https://github.com/unicode-org/icu", "Unicode-3.0"),
  own("libbase64", "https://github.com/aklomp/base64", "BSD-2-Clause"),
  own("libdeflate", "https://github.com/ebiggers/libdeflate", "MIT"),
  own("libjpeg-turbo", "https://github.com/libjpeg-turbo/libjpeg-turbo", "BSD-3-Clause AND IJG AND Zlib"),
  own("libspng", "https://github.com/randy408/libspng", "BSD-2-Clause AND libpng-2.0"),
  own("libwebp", "https://github.com/webmproject/libwebp", "BSD-3-Clause"),
  apache("highway", "https://github.com/google/highway"),
  own("HdrHistogram_c", "https://github.com/HdrHistogram/HdrHistogram_c", "BSD-2-Clause OR CC0-1.0"),
  { name: "sqlite", url: "https://sqlite.org", license: "blessing", texts: ["sqlite.txt"] },
  apache("uWebsockets", "https://github.com/jarred-sumner/uwebsockets"),
];
