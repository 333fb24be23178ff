// npuzzle as a module for Node, browsers and workers. A call runs on the calling thread until it ends: use a worker for
// boards that take long.

const MODULE = new URL('./npuzzle.wasm', import.meta.url);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An error of a request, with its position in the text if it has one. */
export class NpuzzleError extends Error {
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
    this.name = 'NpuzzleError';
  }
}

/** Solves a board. */
export const solve = (board, options = {}, onEvent) => request('solve', { board: asText(board), ...options }, onEvent);

/** Checks a solution and names the wasted moves. */
export const check = (board, solution, options = {}) => request('check', { board: asText(board), solution, ...options });

/** Generates random boards, or boards of an exact difficulty. */
export const generate = (rows, cols, options = {}) => {
  const [seed] = crypto.getRandomValues(new Uint32Array(1));
  return request('generate', { rows, cols, seed, ...options });
};

/** Answers any request of the HTTP interface (docs/http.md) by its name. */
export async function request(name, body = {}, onEvent) {
  const call = await load();
  return call(name, JSON.stringify(body), onEvent);
}

/** The text of a board that may be an array of rows. */
const asText = (board) => (Array.isArray(board) ? board.map((row) => [...row].join(' ')).join('/') : String(board));

let loading;

/** Loads the module, once. */
function load() {
  loading ??= instantiate().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate() {
  let exports;
  let receive;
  const bytes = (address, length) => new Uint8Array(exports.memory.buffer, address, length);
  const host = {
    now: () => performance.now(),
    receive: (name, nameLength, address, length) =>
      receive(decoder.decode(bytes(name, nameLength)), bytes(address, length)),
  };
  const { instance } = await WebAssembly.instantiate(await moduleBytes(), { host });
  exports = instance.exports;
  const pass = (text) => {
    const encoded = encoder.encode(text);
    const address = exports.allocate(encoded.length);
    bytes(address, encoded.length).set(encoded);
    return [address, encoded.length];
  };
  return (name, body, onEvent) => {
    let answer;
    let error;
    let fileInfo;
    receive = (event, data) => {
      const parse = () => JSON.parse(decoder.decode(data));
      if (event === 'json') answer = parse();
      else if (event === 'file-info') fileInfo = parse();
      else if (event === 'file') answer = new Blob([data.slice()], { type: fileInfo.content_type });
      else if (event === 'error') error = new NpuzzleError(parse().error);
      else onEvent?.(event, parse());
    };
    try {
      exports.call(...pass(name), ...pass(body));
    } catch (crash) {
      // The memory of a module that has failed cannot be trusted.
      loading = undefined;
      throw new NpuzzleError({ kind: 'internal', message: `the engine has failed: ${crash.message}` });
    }
    if (error) throw error;
    return answer;
  };
}

async function moduleBytes() {
  if (MODULE.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return readFile(MODULE);
  }
  const response = await fetch(MODULE);
  if (!response.ok) throw new NpuzzleError({ kind: 'network', message: `${MODULE}: status ${response.status}` });
  return response.arrayBuffer();
}
