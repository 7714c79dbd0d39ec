import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import type { Sealing } from "./core/index.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals for one process with a key that is in its memory alone: X25519 between a pair of keys that
 * is made for each text and the pair of the process, HKDF, AES-256-GCM.
 */
export function createSealing(): Sealing {
  const own = generateKeyPairSync("x25519");
  const publicKey = toText(own.publicKey);
  return {
    publicKey,
    seal(to, text) {
      const once = generateKeyPairSync("x25519");
      const from = toText(once.publicKey);
      const nonce = randomBytes(NONCE_BYTES);
      const key = keyBetween(once.privateKey, fromText(to), `${from} ${to}`);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return [from, Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")].join(
        ".",
      );
    },
    open(sealed) {
      const [from = "", body = ""] = sealed.split(".");
      const bytes = Buffer.from(body, "base64url");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      try {
        const key = keyBetween(own.privateKey, fromText(from), `${from} ${publicKey}`);
        const decipher = createDecipheriv(CIPHER, key, nonce).setAuthTag(tag);
        const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

function keyBetween(privateKey: KeyObject, publicKey: KeyObject, keys: string): Buffer {
  const secret = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync("sha256", secret, "", `beckon secret ${keys}`, 32));
}

const toText = (key: KeyObject) =>
  key.export({ type: "spki", format: "der" }).toString("base64url");

const fromText = (text: string) =>
  createPublicKey({ key: Buffer.from(text, "base64url"), type: "spki", format: "der" });
