export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#4f46e5"/><path d="M10 8v16M10 16h6a4 4 0 0 1 0 8h-6m0-16h5a4 4 0 0 1 0 8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

export const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Beckon</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/app.css">
<script type="module" src="/assets/app.js"></script>
</head>
<body>
<header>
<img src="/assets/icon.svg" alt="" width="28" height="28">
<h1>Beckon</h1>
<p id="who"></p>
<p id="link" role="status">connecting</p>
</header>
<main>
<section id="signed-out" hidden>
<h2>You are signed out</h2>
<p id="signed-out-why">Each sign-in address works once, for one minute.</p>
<p>Run <code>beckon open</code> in a terminal for a fresh one.</p>
</section>
<div id="signed-in" hidden>
<section aria-labelledby="waiting-title">
<h2 id="waiting-title">Waiting for an answer</h2>
<ul id="prompts" aria-live="polite"></ul>
<p class="soft">This page shows what waits. Answer over HTTP or the WebSocket; the README shows how.</p>
</section>
<section aria-labelledby="sessions-title">
<h2 id="sessions-title">Sessions</h2>
<ul id="sessions"></ul>
</section>
</div>
<noscript><p>This page needs JavaScript. <code>beckon</code> on the command line does not.</p></noscript>
</main>
</body>
</html>
`;
