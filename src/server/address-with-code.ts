/** The code stands in the fragment, which browsers keep to themselves. */
export function addressWithCode(url: string, code: string): string {
  return new URL(`#code=${code}`, url).href;
}
