// Requests to the WebAssembly module, each in a worker. Aborting a request ends its worker.

import { ApiError } from './error.js';

const MODULE = new URL('../../npuzzle.wasm', import.meta.url);
const WORKER = new URL('./worker.js', import.meta.url);

/** The compiled module, which all workers share. */
let compiled;

/** Workers without a request. */
const idle = [];

/**
 * Runs a request and returns its answer.
 * @param {{signal?: AbortSignal, onEvent?: (event: string, data: any) => void}} options
 * @returns {Promise<any>} The object of the answer, or a Blob.
 */
export async function request(name, body, { signal, onEvent } = {}) {
  signal?.throwIfAborted();
  const worker = idle.pop() ?? await startWorker();
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
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
      else if (event === 'crash') end(reject, crash(data), false);
      else onEvent?.(event, data);
    };
    worker.onerror = (error) => end(reject, crash(error.message), false);
    worker.postMessage({ name, body: JSON.stringify(body ?? {}) });
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

const crash = (message) => new ApiError({ kind: 'internal', message: `The engine has failed: ${message}` });

async function startWorker() {
  compiled ??= compile();
  const worker = new Worker(WORKER, { type: 'module' });
  worker.postMessage({ module: await compiled });
  return worker;
}

async function compile() {
  try {
    const response = await fetch(MODULE);
    if (!response.ok) throw new Error(`status ${response.status}`);
    // Not every static server declares the type that streaming compilation needs.
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    compiled = undefined;
    throw new ApiError({ kind: 'network', message: `The engine cannot be loaded (${error.message}).` });
  }
}
