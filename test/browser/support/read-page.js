/*
 * Reads a page from its top to its end with everything in it unfolded: previews, inputs, results,
 * editors. Plain JavaScript, because it is handed to the browser as it stands. Gives every text
 * that is there, for eyes or for ears, and every element that may never come out of a text.
 */
// oxlint-disable-next-line typescript/no-floating-promises -- whoever evaluates it awaits it
(async () => {
  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
    });

  function textsIn(root) {
    const texts = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      if (node.nodeType === 3) {
        // Markdown changes its text, so that there is nothing to compare.
        if (!node.parentElement.closest("[aria-label=Agent]")) texts.push(node.data);
        continue;
      }
      for (const name of ["aria-label", "title", "placeholder"]) {
        if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
      }
      if (node.matches("input, textarea, option")) texts.push(node.value);
    }
    return texts.filter((text) => text.trim() !== "");
  }

  const EDIT = /^Edit the (input|command)$/;
  const isFolded = (one) =>
    one.matches("details") ? !one.open : EDIT.test(one.textContent) || one.ariaExpanded === "false";

  /** Each thing once, so that what a person folds up again is left alone. */
  const touched = new WeakSet();
  async function unfold() {
    for (;;) {
      const folded = [...document.querySelectorAll("main details, main button")].filter(
        (one) => !touched.has(one) && isFolded(one),
      );
      if (folded.length === 0) return;
      for (const one of folded) {
        touched.add(one);
        if (one.matches("details")) one.open = true;
        else one.click();
      }
      await frame();
    }
  }

  const markup = new Set();
  const rows = new Map();
  async function look(scroller) {
    await unfold();
    const parts = scroller
      ? scroller.querySelectorAll("[data-index]")
      : [document.querySelector("main")];
    for (const part of parts) {
      const at = Number(part.dataset.index ?? 0);
      if (rows.has(at)) continue;
      rows.set(at, textsIn(part));
      for (const problem of window.__hostileMarkup(part)) markup.add(problem);
    }
  }

  const scroller = document.querySelector("[aria-label=Conversation]");
  if (scroller) scroller.scrollTop = 0;
  await frame();
  await look(scroller);
  let before = -1;
  while (scroller?.scrollTop > before) {
    before = scroller.scrollTop;
    scroller.scrollTop += scroller.clientHeight * 0.9;
    await frame();
    await look(scroller);
  }
  for (const problem of window.__hostileMarkup()) markup.add(problem);
  const inOrder = [...rows].sort(([a], [b]) => a - b);
  return { texts: inOrder.flatMap(([, texts]) => texts), markup: [...markup] };
})();
