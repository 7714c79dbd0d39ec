import { tryIt } from "../try-it.js";

await tryIt({
  plugins: [import.meta.dirname],
  message: '/call ask_user_question {"question":"What shall we have for lunch?"}',
  next: () => `To be asked again, send this in the page, with a question of yours:

  /call ask_user_question {"question":"And tomorrow?"}`,
});
