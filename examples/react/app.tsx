import { InteractionCard, toInteractionView, TransportProvider, useInbox } from "beckon/react";
import type { Transport } from "beckon/transport";
import "beckon/react/cards.css";

const Waiting = () =>
  useInbox().interactions.map((one) => (
    <InteractionCard key={one.id} sessionId={one.sessionId} interaction={toInteractionView(one)} />
  ));

export const App = ({ transport }: { transport: Transport }) => (
  <TransportProvider transport={transport}>
    <Waiting />
  </TransportProvider>
);
