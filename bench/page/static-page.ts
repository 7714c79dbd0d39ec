import { once } from "node:events";
import { createServer } from "node:http";

/** The bare page: a field to write in and a text, with nothing to load. */
export async function withStaticPage<Result>(
  text: string,
  work: (place: { url: string; headers: {} }) => Promise<Result>,
): Promise<Result> {
  const html = `<!doctype html><title>Bare</title><p>${text}</p><textarea></textarea>`;
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8").end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  try {
    return await work({ url: `http://127.0.0.1:${port}`, headers: {} });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
