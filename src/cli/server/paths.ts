export const promptPath = (id: string) => `/api/interactions/${encodeURIComponent(id)}`;

export const sessionPath = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
