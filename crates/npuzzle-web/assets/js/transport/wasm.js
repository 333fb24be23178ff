// Requests to the WebAssembly module, each in a worker. Aborting a request ends its worker.

import { ApiError } from './error.js';

const WORKER = new URL('./worker.js', import.meta.url);

const startWorker = () => new Worker(WORKER, { type: 'module' });

/** Workers without a request. The first one starts before the other scripts of the page are loaded. */
const idle = [startWorker()];

/**
 * Runs a request and returns its answer.
 * @param {{signal?: AbortSignal, onEvent?: (event: string, data: any) => void}} options
 * @returns {Promise<any>} The object of the answer, or a Blob.
 */
export function request(name, body, { signal, onEvent } = {}) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = idle.pop() ?? startWorker();
    const end = (settle, value, isReusable) => {
      signal?.removeEventListener('abort', abort);
      if (isReusable) idle.push(worker);
      else worker.terminate();
      settle(value);
    };
    const abort = () => end(reject, signal.reason, false);
    signal?.addEventListener('abort', abort);
    worker.onmessage = ({ data: { event, data } }) => {
      if (event === 'answer') end(resolve, data, true);
      else if (event === 'error') end(reject, new ApiError(data), true);
      else onEvent?.(event, data);
    };
    worker.onerror = ({ message }) =>
      end(reject, new ApiError({ kind: 'internal', message: `The engine cannot be loaded: ${message ?? 'no network'}` }), false);
    worker.postMessage({ name, body: body ?? {} });
  });
}

/** A 15-puzzle whose search needs pattern databases. */
const WITH_TABLES = '7 11 6 3/1 5 2 15/12 14 8 0/13 10 9 4';

/** Starts two workers, for a search and for the analysis of the board, and builds their tables, which takes half a second. */
export function warmUp() {
  for (let n = 0; n < 2; n++) request('solve', { board: WITH_TABLES }).catch(() => {});
}

export function version() {
  return request('version');
}
