import { visibleText } from "../client/index.ts";
import { linkAddress } from "../client/link-address.ts";

/**
 * The place that an address leads to by itself, as the browser reads it: what stands before an `@`
 * is a name, and letters that look like others are written out. Then the address in full, so that
 * nobody opens another than they read.
 */
export function LinkOut({ url }: { url: string }) {
  const address = linkAddress(url);
  if (!address)
    return <p className="bk-link">Not an address that can be opened: {visibleText(url)}</p>;
  return (
    <p className="bk-link">
      Opens <strong>{address.host}</strong>:{" "}
      <a href={address.href} target="_blank" rel="noopener noreferrer">
        {visibleText(url)}
      </a>
    </p>
  );
}
