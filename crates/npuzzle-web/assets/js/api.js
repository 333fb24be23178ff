// Requests to the server (docs/http.md).

/** An error of the server, with its position in the text if it has one. */
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
  }).catch((error) => {
    throw isAbort(error) ? error : new ApiError({ kind: 'network', message: 'The server cannot be reached.' });
  });
  if (response.ok) return response;
  const record = await response.json().catch(() => null);
  throw new ApiError(record?.error ?? { kind: 'http', message: `The server responded with status ${response.status}.` });
}

/** Sends a request and returns the JSON of the response. @param {AbortSignal} [signal] */
export async function post(path, body, signal) {
  return (await send(path, body, signal)).json();
}

/** Sends a request and returns the file of the response. @returns {Promise<Blob>} */
export async function postForFile(path, body) {
  return (await send(path, body)).blob();
}

export async function version() {
  return (await fetch('api/v1/version')).json();
}

/**
 * Sends a request and passes on the events of the response. Aborting cancels the search.
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
    blocks.map(parseEvent).filter(Boolean).forEach(([event, data]) => onEvent(event, data));
  }
}

function parseEvent(block) {
  const fields = block.split('\n').map((line) => line.match(/^(event|data): ?(.*)$/)).filter(Boolean);
  const value = (name) => fields.filter((field) => field[1] === name).map((field) => field[2]).join('\n');
  return value('data') ? [value('event') || 'message', JSON.parse(value('data'))] : null;
}

/** Whether a request was aborted, which is not an error. */
export const isAbort = (error) => error?.name === 'AbortError';
