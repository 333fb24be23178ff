// Requests of the page: to the server that serves it, or to the WebAssembly module of the static page.

const isStatic = document.querySelector('meta[name="npuzzle-engine"]')?.content === 'wasm';
const transport = await import(isStatic ? './transport/wasm.js' : './transport/server.js');

export { ApiError, isAbort } from './transport/error.js';

/** Whether the engine runs in the browser. */
export { isStatic };

/** Sends a request and returns the object of the answer. @param {AbortSignal} [signal] */
export const post = (name, body, signal) => transport.request(name, body, { signal });

/** Sends a request and returns the file of the answer. @returns {Promise<Blob>} */
export const postForFile = (name, body) => transport.request(name, body);

/**
 * Solves a board and passes on the events of the search. Returns the report. Aborting cancels the search.
 * @param {(event: string, data: any) => void} onEvent
 * @param {AbortSignal} signal
 */
export const solveWithEvents = (body, onEvent, signal) => transport.request('solve', body, { signal, onEvent });

/** Prepares the engine for later requests. */
export const warmUp = () => transport.warmUp();

/** Compares searches like `solveWithEvents` solves: each row is an event, too. */
export const compareWithEvents = (body, onEvent, signal) => transport.request('compare', body, { signal, onEvent });

export const version = () => transport.version();

/** Generates a random board. @param {{rows: number, cols: number, goal?: string, moves?: number}} spec */
export async function generate(spec, signal) {
  // The module has no source of randomness. A number of JavaScript has 53 bits.
  const [low, high] = crypto.getRandomValues(new Uint32Array(2));
  const seed = (high >>> 11) * 2 ** 32 + low;
  const { boards: [board] } = await post('generate', { seed, ...spec }, signal);
  return board;
}
