import { payloads } from "./payload.ts";

/** Pictures from elsewhere, which tell somebody that and when they are looked at. */
export const images = payloads("image", {
  "remote-image": ({ url }) => `![x](${url})`,
  "remote-image-with-title": ({ url }) => `![x](${url} "title")`,
  "remote-image-by-reference": ({ url }) => `![x][r]\n\n[r]: ${url}`,
  "remote-image-in-a-link": ({ url }) => `[![x](${url})](https://example.com/)`,
  "remote-image-without-scheme": () => "![x](//canary.invalid/remote-image-without-scheme)",
  "remote-image-with-backslashes": () =>
    String.raw`<img src="\\canary.invalid/remote-image-with-backslashes">`,
  "remote-image-html": ({ url }) => `<img src="${url}">`,
  "remote-source-set": ({ url }) => `<img srcset="${url} 1x">`,
  "remote-picture": ({ url }) => `<picture><source srcset="${url}"><img></picture>`,
  "remote-poster": ({ url }) => `<video poster="${url}"></video>`,
  "remote-video": ({ url }) => `<video src="${url}" autoplay muted></video>`,
  "remote-input-image": ({ url }) => `<input type=image src="${url}">`,
  "remote-table-background": ({ url }) => `<table background="${url}"><td>x</table>`,
  "remote-svg-image": ({ url }) => `<svg><image href="${url}" width=9 height=9 /></svg>`,
  "remote-style-image": ({ url }) => `<p style="content:image-set('${url}' 1x)">x</p>`,
  "remote-track": ({ url }) => `<audio src="${url}"></audio>`,
});
