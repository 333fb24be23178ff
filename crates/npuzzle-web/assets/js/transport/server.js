// Requests to the server (docs/http.md).

import { ApiError, isAbort } from './error.js';

/**
 * Sends a request and returns its answer. Aborting cancels the operation.
 * @param {{signal?: AbortSignal, onEvent?: (event: string, data: any) => void}} options With `onEvent`, the events of a
 *   search are passed on before the answer.
 * @returns {Promise<any>} The object of the answer, or a Blob.
 */
export async function request(name, body, { signal, onEvent } = {}) {
  const response = await send(onEvent ? `${name}/stream` : name, body, signal);
  if (onEvent) return readEvents(response, onEvent);
  const isJson = response.headers.get('Content-Type') === 'application/json';
  return isJson ? response.json() : response.blob();
}

export async function version() {
  return (await fetch('api/v1/version')).json();
}

/** The server needs no preparation. */
export function warmUp() {}

async function send(path, body, signal) {
  const response = await fetch(`api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  }).catch(lost);
  if (response.ok) return response;
  const record = await response.json().catch(() => null);
  throw new ApiError(record?.error ?? { kind: 'http', message: `The server responded with status ${response.status}.` });
}

function lost(error) {
  if (isAbort(error)) throw error;
  throw new ApiError({ kind: 'network', message: 'The server cannot be reached. Is npuzzle serve still running?' });
}

/** Passes on the events of a response. Returns the report, which is the last one. */
async function readEvents(response, onEvent) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read().catch(lost);
    if (done) throw new ApiError({ kind: 'network', message: 'The server has ended the search. Is npuzzle serve still running?' });
    const blocks = (text + value).replaceAll('\r\n', '\n').split('\n\n');
    text = blocks.pop();
    for (const [event, data] of blocks.map(parseEvent).filter(Boolean)) {
      if (event === 'error') throw new ApiError(data.error);
      if (event === 'report') return data;
      onEvent(event, data);
    }
  }
}

function parseEvent(block) {
  const fields = block.split('\n').map((line) => line.match(/^(event|data): ?(.*)$/)).filter(Boolean);
  const value = (name) => fields.filter((field) => field[1] === name).map((field) => field[2]).join('\n');
  return value('data') ? [value('event') || 'message', JSON.parse(value('data'))] : null;
}
