/*
 * Runs in every frame of every window before anything else does. Plain JavaScript, because it is
 * handed to the browser as it stands.
 */
(() => {
  const report = (kind, text) => void window.__report({ kind, text });

  addEventListener(
    "securitypolicyviolation",
    ({ effectiveDirective, blockedURI, sample }) =>
      report("csp", [effectiveDirective, "blocked", blockedURI, sample].join(" ").trim()),
    true,
  );

  // What payloads call or assign; it cannot be shadowed by an element with that id.
  const ran = (name) => report("ran", String(name));
  Object.defineProperty(window, "__xss", { get: () => ran, set: ran });

  const LIVE =
    "[aria-live=polite],[aria-live=assertive],[role=status],[role=alert],[role=log],output";

  /** Read out as a whole when a part of it changes. */
  function isAtomic(region) {
    const said = region.getAttribute("aria-atomic");
    return said === null ? region.matches("[role=status],[role=alert],output") : said === "true";
  }

  function isHeard(region) {
    if (region.getAttribute("aria-live") === "off") return false;
    return region.checkVisibility() && !region.closest("[aria-hidden=true]");
  }

  /** What one change makes a screen reader say: a polite region must have been there before it. */
  function* spoken(change) {
    const target = change.target.nodeType === 1 ? change.target : change.target.parentElement;
    const region = target?.closest(LIVE);
    if (region) {
      const parts = change.type === "characterData" ? [change.target] : change.addedNodes;
      const spokenParts = isAtomic(region) ? [region] : parts;
      if (parts.length > 0) for (const part of spokenParts) yield [region, part];
      return;
    }
    for (const node of change.addedNodes) {
      if (node.nodeType !== 1) continue;
      const alerts = node.matches("[role=alert]") ? [node] : node.querySelectorAll("[role=alert]");
      for (const alert of alerts) yield [alert, alert];
    }
  }

  new MutationObserver((changes) => {
    if (document.readyState === "loading") return;
    const heard = new Set();
    for (const change of changes) {
      for (const [region, part] of spoken(change)) if (isHeard(region)) heard.add(part);
    }
    for (const part of heard) {
      const words = part.textContent.replaceAll(/\s+/g, " ").trim();
      if (words !== "") report("said", words);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });

  const NEVER =
    "iframe,frame,object,embed,applet,base,portal,math,foreignObject,animate,set,use,form[action]," +
    "[formaction],meta[http-equiv],script:not([src]),link:not([rel=stylesheet],[rel=icon],[rel=manifest])";
  const ADDRESSES = /^(href|src|srcset|poster|data|background|xlink:href|ping)$/;
  const CLOBBERED = /^(getElementById|currentScript|cookie|__xss_config|attributes)$/;

  function isHarmless(element, name, value) {
    const first = name === "srcset" ? value.trim().split(/\s/)[0] : value;
    const address = URL.parse(first, location.origin);
    if (!address || address.origin === location.origin) return true;
    if (real("matches", element, "a") && name === "href") {
      return ["http:", "https:", "mailto:"].includes(address.protocol);
    }
    const isPicture = name === "src" || real("matches", element, "link[rel=icon]");
    return address.protocol === "data:" && value.startsWith("data:image/") && isPicture;
  }

  // Taken from the prototype: a form's fields can stand in for what it would have itself.
  const real = (method, element, ...args) => Element.prototype[method].apply(element, args);

  function* problemsOf(element) {
    const tag = Object.prototype.toString.call(element).slice(8, -1);
    if (real("matches", element, NEVER)) yield `<${tag}>`;
    for (const name of real("getAttributeNames", element)) {
      const value = real("getAttribute", element, name);
      const bad =
        name.startsWith("on") ||
        name === "srcdoc" ||
        (name === "style" && /url|image-set|import|fixed/i.test(value)) ||
        (ADDRESSES.test(name) && !isHarmless(element, name, value)) ||
        (["id", "name"].includes(name) && CLOBBERED.test(value));
      if (bad) yield `<${tag} ${name}=${JSON.stringify(value.slice(0, 80))}>`;
    }
    if (tag === "HTMLStyleElement" && /url|import/i.test(element.textContent)) yield "<style>";
  }

  // Markup that may never come out of text, whether or not it got as far as doing something.
  window.__hostileMarkup = (root = document) =>
    [...root.querySelectorAll("*")].flatMap((element) => Array.from(problemsOf(element)));
})();
