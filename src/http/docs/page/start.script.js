"use strict";

/**
 * Lays the reference out for a page that has a main part, a title and a host already: the routes, and the way to enter a token. A route is
 * opened by one button, in which no link may lie; it keeps its address, such as #/Sessions/login.
 */
const withinPage = ({ React: { createElement: element, Fragment } }) => ({
  components: {
    DeepLink: ({ text }) => element("span", null, text),
    WithinPage({ getComponent, specSelectors }) {
      const part = (name, isConnected) => element(getComponent(name, isConnected));
      const status = specSelectors.loadingStatus();
      const parts =
        status === "failed"
          ? element("p", { role: "alert" }, "The OpenAPI document could not be loaded. Load this page again.")
          : status === "success"
            ? element(Fragment, null, part("SvgAssets"), part("AuthorizeBtnContainer", true), part("operations", true))
            : element("p", { role: "status" }, "Loading the routes…");
      return element("div", { className: "swagger-ui" }, parts);
    },
  },
});

/**
 * Names what has no name: lists of values by their parameter, and the cross that closes a window. Takes the role of a landmark from tables,
 * since a landmark needs a name of its own, and from buttons a name other than the one that is seen.
 */
function mend(reference) {
  for (const table of reference.querySelectorAll("table[role=region]")) table.removeAttribute("role");
  for (const list of reference.querySelectorAll("[data-param-name] select:not([aria-label])"))
    list.setAttribute("aria-label", list.closest("[data-param-name]").dataset.paramName);
  for (const cross of reference.querySelectorAll(".close-modal:not([aria-label])"))
    cross.setAttribute("aria-label", "Close");
  for (const button of reference.querySelectorAll(".modal-btn[aria-label]")) button.removeAttribute("aria-label");
}
const reference = document.getElementById("reference");
new MutationObserver(() => mend(reference)).observe(reference, { childList: true, subtree: true });

// `validatorUrl: null` keeps Swagger UI from sending the document to swagger.io for validation. Requests to this host carry its cookies.
SwaggerUIBundle({
  url: "/openapi/json",
  domNode: reference,
  layout: "WithinPage",
  deepLinking: true,
  validatorUrl: null,
  syntaxHighlight: false,
  displayRequestDuration: true,
  plugins: [withinPage],
});
