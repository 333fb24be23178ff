// A worker that runs requests in the WebAssembly module, one after the other. `cargo xtask page` adds the module and its
// loader, which are those of the npm package.

import { request } from '../../engine/index.js';

// The module is loaded before the first request.
request('version').catch(() => {});

onmessage = async ({ data: { name, body } }) => {
  try {
    const answer = await request(name, body, (event, data) => postMessage({ event, data }));
    postMessage({ event: 'answer', data: answer });
  } catch (error) {
    postMessage({ event: 'error', data: { ...error, message: error.message } });
  }
};
