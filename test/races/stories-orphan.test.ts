import { storiesIn } from "./stories.ts";

storiesIn("alwaysOrphan");
