/** @jsxImportSource #html */
import { ConfiguredLink } from "../jsx-runtime.ts";
import type { Mark } from "../brand/brand.ts";

/** The product at the top of a page, which leads back to it. A picture that holds the name stands alone. */
export const Product = ({ mark: { product, home, logo } }: { readonly mark: Mark }) => (
  <p class="product">
    <ConfiguredLink href={home}>
      {logo !== undefined && (
        <picture>
          {logo.dark !== undefined && <source srcset={logo.dark} media="(prefers-color-scheme: dark)" />}
          <img src={logo.href} alt={logo.hasName ? product : ""} height="40" />
        </picture>
      )}
      {logo?.hasName !== true && product}
    </ConfiguredLink>
  </p>
);
