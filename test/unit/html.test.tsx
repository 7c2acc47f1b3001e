/** @jsxImportSource #html */
import { expect, test } from "bun:test";
import { jsx, render, type Html } from "../../src/http/pages/jsx-runtime.ts";

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

test("objects, functions and names that are none are refused", () => {
  expect(() => jsx("p", { children: { html: "<b>" } })).toThrow();
  expect(() => jsx("p", { children: JSON.parse('{"html":"<b>"}') })).toThrow();
  expect(() => jsx("p", { "onclick=alert(1) x": "y" })).toThrow("not an attribute");
  expect(() => jsx("p onclick", {})).toThrow("not an element");
  expect(() => jsx("p", { title: {} })).toThrow();
});
