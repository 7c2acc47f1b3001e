/** @jsxImportSource #html */
import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/core/errors.ts";
import { Field, Form } from "../../src/http/pages/parts/form.tsx";
import { createFormTokens } from "../../src/http/pages/form.tokens.ts";
import { ConfiguredLink, Elsewhere, inlineStyle, jsx, render, type Html } from "../../src/http/pages/jsx-runtime.ts";
import { hostileNexts, leaves } from "../support/oauth/hostile.next.ts";

const page = (html: Html): string => render(html);
const hostile = `"><script>alert('&')</script>`;
const escaped = "&quot;&gt;&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;";

test("X-16 text is escaped between tags and in attributes", () => {
  expect(page(<p title={hostile}>{hostile}</p>)).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test("what is false or absent leaves nothing, a number is text", () => {
  expect(
    page(
      <p hidden={false} title={undefined}>
        {[null, undefined, false, true, 0, "a", [1, "b"]]}
      </p>,
    ),
  ).toBe("<p>0a1b</p>");
  expect(page(<input required value="" />)).toBe('<input required value="">');
});

test("markup of components is taken over as it is, once", () => {
  const Name = ({ name }: { readonly name: string }) => <b>{name}</b>;
  expect(
    page(
      <>
        <Name name="a&b" />
        {["x", "y"].map((name) => (
          <Name key={name} name={name} />
        ))}
      </>,
    ),
  ).toBe("<b>a&amp;b</b><b>x</b><b>y</b>");
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "//evil.test",
  "https://evil.test",
  " /x",
  "data:text/html,x",
])("an address such as %s is refused", (href) => {
  expect(() => jsx("a", { href })).toThrow("leads away");
});

test("only an address that the operator has set leads elsewhere, and only to a page", () => {
  const href = 'https://example.test/?a="b"&c';
  expect(render(Elsewhere({ href, children: "the <terms>" }))).toBe(
    '<a href="https://example.test/?a=&quot;b&quot;&amp;c" target="_blank" rel="noopener">the &lt;terms&gt;</a>',
  );
  for (const other of ["javascript:alert(1)", "data:text/html,x", "/x", "//evil.test", " https://example.test"])
    expect(() => Elsewhere({ href: other, children: "x" })).toThrow("leads to a page");
});

test("a way home leads to a page of this host or of another, and nowhere else", () => {
  for (const href of ["/", "/shop/", "https://shop.example.test/?a=1&b=2"])
    expect(render(ConfiguredLink({ href, look: 'a"b', children: "<Shop>" }))).toBe(
      `<a class="a&quot;b" href="${href.replace("&", "&amp;")}">&lt;Shop&gt;</a>`,
    );
  for (const other of ["javascript:alert(1)", "data:text/html,x", "//evil.test", " https://example.test"])
    expect(() => ConfiguredLink({ href: other, children: "x" })).toThrow("leads to a page");
});

test("a picture may be in its address, where it is shown as a picture and nowhere else", () => {
  const picture = "data:image/svg+xml;base64,PHN2Zy8+";
  expect(render(jsx("img", { src: picture }))).toBe(`<img src="${picture}">`);
  expect(render(jsx("link", { rel: "icon", href: picture }))).toContain(picture);
  for (const [element, name, address] of [
    ["a", "href", picture],
    ["form", "action", picture],
    ["img", "src", "data:text/html;base64,PHN2Zy8+"],
    ["img", "src", 'data:image/png;base64,x" onerror="'],
    ["source", "srcset", "https://evil.test/a.png"],
  ] as const)
    expect(() => jsx(element, { [name]: address })).toThrow("leads away");
});

test.each([
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/.//evil.example",
  "/%2f/evil.example",
  "?a\n=b",
])("the address %j, which a browser reads as another host's, is refused", (href) =>
  expect(() => jsx("a", { href })).toThrow("leads away"),
);

test.each([
  "/",
  "/a?b=//evil.test",
  "?page=2",
  "?next=%2Fa&b=c%0Ad",
  "#main",
  "data:,",
  `/a?text=${"%E4%B8%80".repeat(400)}`,
])("the address %j of this host is written as it is", (href) =>
  expect(page(<a href={href}>x</a>)).toBe(`<a href="${href.replaceAll("&", "&amp;")}">x</a>`),
);

test("X-35 of more than 10,000 hostile addresses no attribute leads a browser away from the page's host", () => {
  const origin = "https://gatehouse.example.test";
  const written = hostileNexts().flatMap((address) => {
    try {
      return ["href", "src", "action", "formaction"].map((name) => ({
        address,
        html: page(jsx("a", { [name]: address })),
      }));
    } catch {
      return [];
    }
  });
  expect(written.filter(({ address }) => leaves(address, origin))).toEqual([]);
  expect(written.length).toBeGreaterThan(100);
});

test("objects, functions and names that are none are refused", () => {
  expect(() => jsx("p", { children: { html: "<b>" } })).toThrow();
  expect(() => jsx("p", { children: JSON.parse('{"html":"<b>"}') })).toThrow();
  expect(() => jsx("p", { "onclick=alert(1) x": "y" })).toThrow("not an attribute");
  expect(() => jsx("p onclick", {})).toThrow("not an element");
  expect(() => jsx("p", { title: {} })).toThrow();
});

test("an inline style sheet is written as it is, and can't end its element", () => {
  expect(page(inlineStyle('p::before { content: "a > b & c"; }'))).toBe(
    '<style>p::before { content: "a > b & c"; }</style>',
  );
  expect(() => inlineStyle('p { content: "</style><script>alert(1)</script>" }')).toThrow();
});

describe("forms", () => {
  const tokens = createFormTokens(new Uint8Array(32).fill(1));
  const others = createFormTokens(new Uint8Array(32).fill(2));
  const sent = (token?: string): URLSearchParams => new URLSearchParams(token === undefined ? {} : { csrf: token });

  test("carry the token of a session, which no other session, key or text stands in for", () => {
    const token = tokens.tokenOf("ada's session");
    expect(
      page(
        <Form action="/x" token={token}>
          {null}
        </Form>,
      ),
    ).toContain(`name="csrf" value="${token}"`);
    expect(() => tokens.check("ada's session", sent(token))).not.toThrow();
    for (const wrong of [
      undefined,
      "",
      `${token}x`,
      tokens.tokenOf("grace's session"),
      others.tokenOf("ada's session"),
    ])
      expect(() => tokens.check("ada's session", sent(wrong))).toThrow(new AppError("cross_site_request"));
  });

  test("a field says its error in the place of its hint, where a screen reader reads it with the field", () => {
    const props = { name: "login", label: "User name", type: "text", autocomplete: "username" } as const;
    expect(page(<Field {...props} />)).not.toContain("aria-describedby");
    const hinted = page(<Field {...props} hint="Or your address." />);
    expect(hinted).toContain('<label for="login">User name</label>');
    expect(hinted).toContain('aria-describedby="login-below"');
    expect(hinted).toContain('<p id="login-below" class="hint">Or your address.</p>');
    const refused = page(<Field {...props} hint="Or your address." error="That is nobody's." />);
    expect(refused).toContain('aria-invalid="true"');
    expect(refused).toContain('<p id="login-below" class="error" role="alert">That is nobody&#x27;s.</p>');
    expect(refused).not.toContain("Or your address.");
  });
});
