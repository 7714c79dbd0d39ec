import { visibleText } from "../client/index.ts";

/** An address in full, so that nobody opens another than they read. */
export function LinkOut({ url }: { url: string }) {
  return (
    <p className="bk-link">
      Opens elsewhere:{" "}
      {/^https?:\/\//i.test(url) ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {visibleText(url)}
        </a>
      ) : (
        visibleText(url)
      )}
    </p>
  );
}
