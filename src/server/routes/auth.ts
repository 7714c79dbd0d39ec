import { type Context, Hono } from "hono";
import type { Who } from "../../core/index.ts";
import { ExchangeBody, ProtocolError } from "../../protocol/index.ts";
import { cookieName, personOnly, readCookies, toCookie } from "../access.ts";
import { Nothing, readBody } from "../body.ts";
import { BROWSER_MS } from "../credentials.ts";
import type { AppEnv, ServerParts } from "../parts.ts";

export function authRoutes({ credentials }: ServerParts): Hono<AppEnv> {
  const signIn = async (c: Context<AppEnv>, code: string) => {
    const exchanged = await credentials.exchangeCode(code);
    if (!exchanged) {
      throw new ProtocolError(
        "unauthorized",
        "This sign-in code was used already or is older than a minute. Run `beckon open` for a fresh one.",
      );
    }
    const seconds = BROWSER_MS / 1_000;
    const secure = c.req.header("origin")?.startsWith("https:") ?? false;
    const name = cookieName(c.req.header("host"));
    c.header("Set-Cookie", toCookie(name, exchanged.token, { seconds, secure }));
    return c.json({ ok: true, principal: toPrincipal(exchanged.who) });
  };

  return (
    new Hono<AppEnv>()
      .post("/auth/exchange", async (c) => {
        const { code } = await readBody(c.req.raw, ExchangeBody);
        return signIn(c, code);
      })
      // For a person who has a token and no sign-in address: the browser keeps a cookie, never the token.
      .post("/auth/signin", personOnly, async (c) => {
        await readBody(c.req.raw, Nothing);
        const { principalId, sessionId, tokenId } = c.get("who");
        if (sessionId !== null) {
          throw new ProtocolError(
            "person_required",
            "A token that is bound to one session cannot sign a browser in. Use a person's token.",
          );
        }
        return signIn(c, await credentials.createSigninCode(principalId, tokenId));
      })
      .post("/auth/signout", async (c) => {
        await readBody(c.req.raw, Nothing);
        const names = new Set([cookieName(c.req.header("host"))]);
        // A cookie that was left from another port would let the browser in again.
        for (const { name, token } of c.get("by") === "cookie" ? cookiesOf(c) : []) {
          const who = await credentials.authenticate(token, "cookie");
          if (!who) continue;
          await credentials.revokeToken(who.tokenId);
          names.add(name);
        }
        for (const name of names) {
          c.header("Set-Cookie", toCookie(name, "", { seconds: 0, secure: false }), {
            append: true,
          });
        }
        return c.json({ ok: true });
      })
      .get("/auth/me", (c) => c.json({ principal: toPrincipal(c.get("who")) }))
  );
}

const cookiesOf = (c: Context<AppEnv>) => readCookies(c.req.header("cookie"), c.req.header("host"));

function toPrincipal({ principalId, kind, name, sessionId }: Who) {
  return { id: principalId, kind, name, sessionId: sessionId ?? undefined };
}
