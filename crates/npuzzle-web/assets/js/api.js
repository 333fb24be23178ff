// What is asked of the server (docs/http.md).

/** What the server says is wrong, with its place in the text if there is one. */
export class ApiError extends Error {
  /** @param {{kind: string, message: string, field?: string, line?: number, column?: number, length?: number}} error */
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

async function send(path, body, signal) {
  const response = await fetch(`api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  throw new ApiError(answer?.error ?? { kind: 'http', message: `the server answered ${response.status}` });
}

/** Asks and waits for the answer. @param {AbortSignal} [signal] */
export async function ask(path, body, signal) {
  return (await send(path, body, signal)).json();
}

/** Asks for a file. @returns {Promise<Blob>} */
export async function askFile(path, body) {
  return (await send(path, body)).blob();
}

export async function version() {
  return (await fetch('api/v1/version')).json();
}

/**
 * Asks and is told of events as they come; to abort is to cancel the search.
 * @param {(event: string, data: any) => void} onEvent
 * @param {AbortSignal} signal
 */
export async function stream(path, body, onEvent, signal) {
  const response = await send(path, body, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (text + value).replaceAll('\r\n', '\n').split('\n\n');
    text = blocks.pop();
    blocks.map(readEvent).filter(Boolean).forEach(([event, data]) => onEvent(event, data));
  }
}

function readEvent(block) {
  const fields = block.split('\n').map((line) => line.match(/^(event|data): ?(.*)$/)).filter(Boolean);
  const of = (name) => fields.filter((field) => field[1] === name).map((field) => field[2]).join('\n');
  return of('data') ? [of('event') || 'message', JSON.parse(of('data'))] : null;
}

/** Whether somebody has cancelled, which is no error. */
export const isAbort = (error) => error?.name === 'AbortError';
