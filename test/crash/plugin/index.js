import { createJourney } from "../tools.js";

export default ({ settings }) => ({ operations: { order: createJourney(settings.effects) } });
