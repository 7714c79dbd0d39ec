import { depth, readTable, text } from "./bad-input-values.ts";

/** What was sent | the frame | the code of the reply. */
export const BAD_FRAMES = readTable(String.raw`
  # what is no frame
  no JSON | { | invalid_request
  nothing |  | invalid_request
  an array | [] | invalid_request
  null | null | invalid_request
  a text | "ping" | invalid_request
  no type | {} | invalid_request
  an unknown type | {"type":"dance"} | invalid_request
  a type in capitals | {"type":"PING"} | invalid_request
  a type that is no text | {"type":["ping"]} | invalid_request
  a type of the server's | {"type":"chat_event"} | invalid_request
  a second hello | {"type":"hello","protocolVersion":1} | invalid_request
  a key twice | {"type":"ping","a":1,"a":2} | invalid_request
  __proto__ | {"type":"ping","__proto__":{}} | invalid_request
  depth 33 | {"type":"ping","x":${depth(33)}} | invalid_request
  a text of 64 KiB + 1 | {"type":"ping","x":"${text(65_537)}"} | too_large
  # cursors
  nothing to subscribe to | {"type":"subscribe"} | invalid_request
  no inbox to subscribe to | {"type":"subscribe","inbox":false} | invalid_request
  afterSeq and tail | {"type":"subscribe","sessionId":"$session","afterSeq":1,"tail":1} | invalid_request
  afterSeq below nothing | {"type":"subscribe","sessionId":"$session","afterSeq":-1} | invalid_request
  afterSeq as a text | {"type":"subscribe","sessionId":"$session","afterSeq":"1"} | invalid_request
  afterSeq and a half | {"type":"subscribe","sessionId":"$session","afterSeq":1.5} | invalid_request
  afterSeq from the future | {"type":"subscribe","sessionId":"$session","afterSeq":999} | resync
  tail 0 | {"type":"subscribe","sessionId":"$session","tail":0} | invalid_request
  an unknown session | {"type":"subscribe","sessionId":"nothing"} | session_not_found
  a session that is no text | {"type":"subscribe","sessionId":7} | invalid_request
  # messages, cancels, modes
  no text | {"type":"user_message","sessionId":"$session"} | invalid_request
  an empty text | {"type":"user_message","sessionId":"$session","text":""} | invalid_request
  a message to nobody | {"type":"user_message","text":"a"} | invalid_request
  a message to an unknown session | {"type":"user_message","sessionId":"nothing","text":"a"} | session_not_found
  a message id with a space | {"type":"user_message","sessionId":"$session","text":"a","messageId":"a b"} | invalid_request
  an unknown delivery | {"type":"user_message","sessionId":"$session","text":"a","delivery":"now"} | invalid_request
  a cancel of nothing | {"type":"cancel"} | invalid_request
  a cancel of an unknown session | {"type":"cancel","sessionId":"nothing"} | session_not_found
  a turn id that is no text | {"type":"cancel","sessionId":"$session","turnId":7} | invalid_request
  no mode | {"type":"set_interaction_mode"} | invalid_request
  a mode that is no boolean | {"type":"set_interaction_mode","enabled":"yes"} | invalid_request
  # answers
  an answer to nothing | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","action":"approve"} | invalid_request
  an answer without a call | {"type":"tool_interaction_response","sessionId":"$session","interactionId":"$approval","action":"approve"} | invalid_request
  an answer without a session | {"type":"tool_interaction_response","callId":"$call","interactionId":"$approval","action":"approve"} | invalid_request
  an answer to an unknown prompt | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","interactionId":"nothing","action":"approve"} | interaction_not_found
  an answer with another call | {"type":"tool_interaction_response","sessionId":"$session","callId":"nothing","interactionId":"$approval","action":"approve"} | interaction_not_found
  an answer with another session | {"type":"tool_interaction_response","sessionId":"$other","callId":"$call","interactionId":"$approval","action":"approve"} | interaction_not_found
  no action | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","interactionId":"$approval"} | invalid_request
  an unknown action | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","interactionId":"$approval","action":"allow"} | invalid_request
  a scope that was not offered | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","interactionId":"$approval","action":"approve","approvalScope":"always"} | invalid_response
  an action of the other type | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","interactionId":"$approval","action":"submit"} | invalid_response
  a response id with a dot | {"type":"tool_interaction_response","sessionId":"$session","callId":"$call","interactionId":"$approval","action":"approve","responseId":"a.b"} | invalid_request
`);
