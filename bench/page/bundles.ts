import { bareSizes, bundleSizes } from "../../scripts/bundle-sizes.mjs";
import { figure, type Figures, under } from "../figures.ts";

/** The budgets that `scripts/check-budgets.mjs` holds. */
const BUDGETS_KB = { script: 130, styles: 12, cards: 10 };

/** What is downloaded before something works, after gzip. */
export async function measureBundles(): Promise<Figures> {
  const [beckon, bare] = [await bundleSizes(), await bareSizes()];
  const size = (what: string, reference: string, of: keyof typeof BUDGETS_KB, bytes: number) =>
    figure({
      what,
      reference,
      unit: "kB",
      beckon: [beckon[of] / 1_000],
      bare: [bytes / 1_000],
      target: under(BUDGETS_KB[of]),
    });
  const react = "React and React DOM alone";
  return {
    "page.script": size("scripts of the page before it works, gzip", react, "script", bare.react),
    "page.styles": size("its style sheets, gzip", "Tailwind's reset alone", "styles", bare.styles),
    "page.cards": size("cards in an app that has React, gzip", react, "cards", bare.react),
  };
}
