import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** @typedef {{ id: string, to: string, question: string, link: string }} Mail */

/**
 * Stands in for a mail server: what would be sent is a file in a folder.
 *
 * @param {string} folder
 * @returns {(mail: Mail) => Promise<void>}
 */
export function createOutbox(folder) {
  return async (mail) => {
    // Named by its id: the same e-mail again is the same file. And nobody sees half of one.
    const file = join(folder, `${mail.id}.eml`);
    await writeFile(`${file}.part`, textOf(mail));
    await rename(`${file}.part`, file);
  };
}

/** @param {Mail} mail */
function textOf({ id, to, question, link }) {
  return `Message-ID: <${id}@example.com>
From: agent@example.com
To: ${to}
Subject: An agent waits for your answer

${question}

Answer here, whenever you can: ${link}
`;
}
