export const SCRIPT = `const byId = (id) => document.getElementById(id);
const prompts = new Map();
const sessions = new Map();
let retryMs = 500;

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function describe(request) {
  if (request.questions) return request.questions.map((one) => one.question).join("\\n");
  if (request.prompt) return request.prompt;
  const form = request.inputSchema;
  const fields = form ? (form.fields || form.sections.flatMap((section) => section.fields)) : [];
  if (form && (form.title || fields[0])) return form.title || fields.map((field) => field.label).join("\\n");
  return request.interactionType === "approval" ? "Asks to run this." : "Asks for input.";
}

function promptItem(one) {
  const item = element("li", "waiting");
  const row = element("div", "row");
  row.append(element("span", "name", one.toolName));
  const session = sessions.get(one.sessionId);
  row.append(element("span", "soft", session ? session.title : ""));
  row.append(element("span", "badge waiting", one.request.interactionType === "approval" ? "approval" : "question"));
  item.append(row, element("p", "text", describe(one.request)));
  if (one.request.error) item.append(element("p", "soft", one.request.error));
  const since = "since " + new Date(one.createdAt).toLocaleString();
  const until = one.expiresAt ? ", until " + new Date(one.expiresAt).toLocaleString() : "";
  item.append(element("p", "soft", since + until));
  return item;
}

function sessionItem(one) {
  const item = element("li");
  const row = element("div", "row");
  row.append(element("span", "name", one.title), element("span", "soft", one.agent));
  const count = one.pendingCount > 0 ? " · " + one.pendingCount + " open" : "";
  row.append(element("span", "badge " + one.status, one.status + count));
  item.append(row);
  return item;
}

function fill(id, items, nothing) {
  byId(id).replaceChildren(...(items.length > 0 ? items : [element("li", "empty", nothing)]));
}

let drawing = false;
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    const open = [...prompts.values()];
    const recent = [...sessions.values()].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    fill("prompts", open.map(promptItem), "Nothing waits for you.");
    fill("sessions", recent.map(sessionItem), "No session yet.");
    document.title = open.length > 0 ? "(" + open.length + ") Beckon" : "Beckon";
  });
}

function showSignedOut(why) {
  byId("signed-in").hidden = true;
  byId("signed-out").hidden = false;
  byId("who").textContent = "";
  byId("link").textContent = "signed out";
  if (why) byId("signed-out-why").textContent = why;
}

async function exchangeCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (!code) return undefined;
  history.replaceState(null, "", location.pathname);
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/auth/exchange", { method: "POST", headers, body: JSON.stringify({ code }) });
  return answer.ok ? undefined : (await answer.json()).error;
}

async function loadSessions() {
  const found = [];
  let cursor = "";
  do {
    const answer = await fetch("/api/sessions" + (cursor && "?cursor=" + encodeURIComponent(cursor)));
    if (!answer.ok) return;
    const page = await answer.json();
    found.push(...page.sessions);
    cursor = page.next ?? "";
  } while (cursor && found.length < 1000);
  sessions.clear();
  for (const one of found) sessions.set(one.id, one);
  draw();
}

function receive(frame) {
  if (frame.type === "inbox") {
    prompts.clear();
    for (const one of frame.interactions) prompts.set(one.id, one);
  } else if (frame.type === "interaction_updated") {
    if (frame.interaction.status === "pending") prompts.set(frame.interaction.id, frame.interaction);
    else prompts.delete(frame.interaction.id);
  } else if (frame.type === "session_updated") sessions.set(frame.session.id, frame.session);
  else if (frame.type === "session_deleted") sessions.delete(frame.sessionId);
  else return;
  draw();
}

function connect() {
  const socket = new WebSocket(location.origin.replace(/^http/, "ws") + "/ws");
  socket.onopen = () => {
    retryMs = 500;
    byId("link").textContent = "live";
    // No interaction: this page cannot answer, so it does not count as somebody who could.
    socket.send(JSON.stringify({ type: "hello", protocolVersion: 1 }));
    socket.send(JSON.stringify({ type: "subscribe", inbox: true }));
    void loadSessions();
  };
  socket.onmessage = (message) => receive(JSON.parse(message.data));
  socket.onclose = () => {
    byId("link").textContent = "reconnecting";
    setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, 10000);
  };
}

async function start() {
  try {
    const refused = await exchangeCode();
    const answer = await fetch("/api/auth/me");
    if (answer.status === 401) return showSignedOut(refused);
    if (!answer.ok) throw new Error(answer.statusText);
    const { principal } = await answer.json();
    byId("who").textContent = "signed in as " + principal.name;
    byId("signed-out").hidden = true;
    byId("signed-in").hidden = false;
    connect();
  } catch {
    byId("link").textContent = "the server does not answer";
    setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, 10000);
  }
}

addEventListener("hashchange", () => location.hash.includes("code=") && location.reload());
void start();
`;
