import { storiesIn } from "./stories.ts";

storiesIn("single");
