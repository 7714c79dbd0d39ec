import { LIMITS } from "../../src/protocol/index.ts";
import { body, depth, keys, readTable, text } from "./bad-input-values.ts";

/** What was sent | method and path | body (`-` for none) | what must come back | further headers. */
export const BAD_REQUESTS = readTable(String.raw`
  # bodies
  no JSON | POST /api/sessions/$session/messages | { | 400 invalid_request
  an array | POST /api/sessions/$session/messages | [] | 400 invalid_request
  null | POST /api/sessions/$session/messages | null | 400 invalid_request
  nothing | POST /api/sessions/$session/messages | empty | 400 invalid_request
  two values | POST /api/sessions/$session/messages | {"content":"a"}{} | 400 invalid_request
  a key twice | POST /api/sessions/$session/messages | {"content":"a","content":"b"} | 400 invalid_request
  a key twice, escaped | POST /api/sessions/$session/messages | {"content":"a","c\u006fntent":"b"} | 400 invalid_request
  a key twice, deep inside | POST /api/interactions/$approval/respond | {"action":"approve","x":[{"a":1,"a":2}]} | 400 invalid_request
  __proto__ | POST /api/sessions/$session/messages | {"content":"a","__proto__":{}} | 400 invalid_request
  constructor | POST /api/sessions/$session/messages | {"content":"a","constructor":1} | 400 invalid_request
  prototype in an answer | POST /api/interactions/$input/respond | {"action":"submit","input":{"prototype":1,"name":"a"}} | 400 invalid_request
  depth 33 | POST /api/sessions/$session/messages | {"content":"a","x":${depth(33)}} | 400 invalid_request
  2,001 keys | POST /api/plugins/t/operations/ask | ${keys(2_001)} | 400 invalid_request
  256 KiB + 1 | POST /api/sessions/$session/messages | ${body(LIMITS.messageBytes + 1)} | 413 too_large
  a text of 64 KiB + 1 | POST /api/sessions/$session/messages | {"content":"${text(65_537)}"} | 413 too_large
  plain text | POST /api/sessions/$session/messages | {"content":"a"} | 415 json_required | content-type: text/plain
  a form | POST /api/interactions/$approval/respond | action=approve | 415 json_required | content-type: application/x-www-form-urlencoded
  JSON by another name | POST /api/sessions/$session/messages | {"content":"a"} | 415 json_required | content-type: application/jsonx
  # fields
  no content | POST /api/sessions/$session/messages | {} | 400 invalid_request
  empty content | POST /api/sessions/$session/messages | {"content":""} | 400 invalid_request
  content that is no text | POST /api/sessions/$session/messages | {"content":{"a":1}} | 400 invalid_request
  an unknown delivery | POST /api/sessions/$session/messages | {"content":"a","delivery":"now"} | 400 invalid_request
  an unknown agent | POST /api/sessions | {"agent":"nobody"} | 400 invalid_request
  an unknown permission mode | POST /api/sessions | {"permissionMode":"yolo"} | 400 invalid_request
  a blank title | PATCH /api/sessions/$session | {"title":"  "} | 400 invalid_request
  a title of 201 characters | PATCH /api/sessions/$session | {"title":"${text(201)}"} | 400 invalid_request
  a turn id that is no text | POST /api/sessions/$session/cancel | {"turnId":7} | 400 invalid_request
  # ids
  a message id with a slash | POST /api/sessions/$session/messages | {"content":"a","messageId":"../a"} | 400 invalid_request
  a message id of 65 characters | POST /api/sessions/$session/messages | {"content":"a","messageId":"${text(65)}"} | 400 invalid_request
  an empty response id | POST /api/interactions/$approval/respond | {"action":"approve","responseId":""} | 400 invalid_request
  a response id with a space | POST /api/interactions/$approval/respond | {"action":"approve","responseId":"a b"} | 400 invalid_request
  a call id with a colon | POST /api/plugins/t/operations/ask | {} | 400 invalid_request | x-session-id: $session, x-tool-call-id: a:b
  a call id of another tool, which is its place | POST /api/plugins/t/operations/other | {} | 200 unknown_tool | x-session-id: $session, x-tool-call-id: $call
  no session | POST /api/plugins/t/operations/ask | {} | 400 invalid_request
  an unknown session | POST /api/plugins/t/operations/ask | {} | 404 session_not_found | x-session-id: nothing
  an unknown session's log | GET /api/sessions/nothing/events | - | 404 session_not_found
  a session's id with dots | GET /api/sessions/..%2f..%2fetc%2fpasswd | - | 404 session_not_found
  a session's id with quotes | GET /api/sessions/'%20OR%201=1-- | - | 404 session_not_found
  a session's id with more behind it | DELETE /api/sessions/$session:x | - | 404 session_not_found
  an unknown interaction | POST /api/interactions/nothing/respond | {"action":"approve"} | 404 interaction_not_found
  an interaction of id __proto__ | GET /api/interactions/__proto__ | - | 404 interaction_not_found
  a session as an interaction | GET /api/interactions/$session | - | 404 interaction_not_found
  an unknown grant | DELETE /api/grants/nothing | - | 404 not_found
  # answers
  no action | POST /api/interactions/$approval/respond | {} | 400 invalid_request
  an unknown action | POST /api/interactions/$approval/respond | {"action":"allow"} | 400 invalid_request
  an approved flag instead of an action | POST /api/interactions/$approval/respond | {"approved":true} | 400 invalid_request
  an action of the other type | POST /api/interactions/$approval/respond | {"action":"submit"} | 422 invalid_response
  an approval of a form | POST /api/interactions/$input/respond | {"action":"approve"} | 422 invalid_response
  an unknown scope | POST /api/interactions/$approval/respond | {"action":"approve","approvalScope":"forever"} | 400 invalid_request
  a scope that was not offered | POST /api/interactions/$approval/respond | {"action":"approve","approvalScope":"always"} | 422 invalid_response
  a scope for a no | POST /api/interactions/$approval/respond | {"action":"deny","approvalScope":"once"} | 422 invalid_response
  an option where there are none | POST /api/interactions/$approval/respond | {"action":"approve","optionId":"a"} | 422 invalid_response
  an edited input | POST /api/interactions/$approval/respond | {"action":"approve","updatedInput":{}} | 422 invalid_response
  values for an approval | POST /api/interactions/$approval/respond | {"action":"approve","input":{"a":1}} | 422 invalid_response
  stop with a yes | POST /api/interactions/$approval/respond | {"action":"approve","stop":true} | 422 invalid_response
  stop that is no boolean | POST /api/interactions/$approval/respond | {"action":"deny","stop":"yes"} | 400 invalid_request
  a reason that is no text | POST /api/interactions/$approval/respond | {"action":"deny","reason":1} | 400 invalid_request
  input that is a list | POST /api/interactions/$input/respond | {"action":"submit","input":[]} | 400 invalid_request
  a required field missing | POST /api/interactions/$input/respond | {"action":"submit","input":{}} | 422 invalid_response
  a required field empty | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":""}} | 422 invalid_response
  an unknown field | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":"a","admin":true}} | 422 invalid_response
  a number for a text | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":7}} | 422 invalid_response
  a text for a number | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":"a","count":"3"}} | 422 invalid_response
  a number that is too large | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":"a","count":6}} | 422 invalid_response
  a text that is too long | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":"0123456789"}} | 422 invalid_response
  an option not offered | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":"a","size":"xl"}} | 422 invalid_response
  a list where one was asked for | POST /api/interactions/$input/respond | {"action":"submit","input":{"name":"a","size":["s"]}} | 422 invalid_response
  # numbers in the address
  after a word | GET /api/sessions/$session/events?after=x | - | 400 invalid_request
  after less than nothing | GET /api/sessions/$session/events?after=-1 | - | 400 invalid_request
  after a half | GET /api/sessions/$session/events?after=1.5 | - | 400 invalid_request
  after twice | GET /api/sessions/$session/events?after=1&after=2 | - | 400 invalid_request
  after and before | GET /api/sessions/$session/events?after=1&before=3 | - | 400 invalid_request
  before with an exponent | GET /api/sessions/$session/events?before=1e3 | - | 400 invalid_request
  limit 0 | GET /api/sessions/$session/events?limit=0 | - | 400 invalid_request
  limit 10,001 | GET /api/sessions/$session/events?limit=10001 | - | 400 invalid_request
  wait 0 | GET /api/interactions/$approval?wait=0 | - | 400 invalid_request
  wait 61 | GET /api/interactions/$approval?wait=61 | - | 400 invalid_request
  wait for ever | GET /api/interactions/$approval?wait=forever | - | 400 invalid_request
  a cursor of somebody else | GET /api/sessions?cursor=abc | - | 400 invalid_request
  a cursor that is JSON | GET /api/interactions?cursor=W10 | - | 400 invalid_request
  an unknown status | GET /api/interactions?status=answered | - | 400 invalid_request
  the prompts of an unknown session | GET /api/interactions?sessionId=nothing | - | 404 session_not_found
  a stream from a word | GET /api/sessions/$session/events | - | 400 invalid_request | accept: text/event-stream, last-event-id: x
  a stream from the future | GET /api/sessions/$session/events | - | 409 resync | accept: text/event-stream, last-event-id: 999
  # routes, methods, credentials
  an unknown route | GET /api/nothing | - | 404 not_found
  an unknown part of a session | POST /api/sessions/$session/dance | {} | 404 not_found
  PUT of a session | PUT /api/sessions/$session | {} | 404 not_found
  DELETE of a log | DELETE /api/sessions/$session/events | - | 404 not_found
  DELETE of an interaction | DELETE /api/interactions/$approval | - | 404 not_found
  GET of an answer | GET /api/interactions/$approval/respond?action=approve | - | 404 not_found
  GET of an operation | GET /api/plugins/t/operations/ask | - | 404 not_found
  a route in capitals | GET /API/sessions | - | 404 not_found
  a token that is none | POST /api/interactions/$approval/respond | {"action":"approve"} | 401 unauthorized | authorization: Bearer nothing
  a password | POST /api/interactions/$approval/respond | {"action":"approve"} | 401 unauthorized | authorization: Basic b3duZXI6
  a page of another origin | POST /api/interactions/$approval/respond | {"action":"approve"} | 403 forbidden_origin | origin: http://evil.example
  a page of no origin | POST /api/interactions/$approval/respond | {"action":"approve"} | 403 forbidden_origin | origin: null
`);
