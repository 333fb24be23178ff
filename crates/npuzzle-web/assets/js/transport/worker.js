// A worker that runs requests in the WebAssembly module, one after the other.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
let exports;
let fileInfo;

const bytes = (address, length) => new Uint8Array(exports.memory.buffer, address, length);

const host = {
  now: () => performance.now(),
  receive(name, nameLength, address, length) {
    const event = decoder.decode(bytes(name, nameLength));
    if (event === 'file') {
      const blob = new Blob([bytes(address, length).slice()], { type: fileInfo.content_type });
      postMessage({ event: 'answer', data: blob });
      return;
    }
    const data = JSON.parse(decoder.decode(bytes(address, length)));
    if (event === 'file-info') fileInfo = data;
    else if (event === 'json') postMessage({ event: 'answer', data });
    else if (event === 'error') postMessage({ event, data: data.error });
    else postMessage({ event, data });
  },
};

/** Copies a text into the memory of the module, which releases it. */
function pass(text) {
  const encoded = encoder.encode(text);
  const address = exports.allocate(encoded.length);
  bytes(address, encoded.length).set(encoded);
  return [address, encoded.length];
}

onmessage = ({ data: { module, name, body } }) => {
  if (module) {
    exports = new WebAssembly.Instance(module, { host }).exports;
    return;
  }
  try {
    exports.call(...pass(name), ...pass(body));
  } catch (error) {
    postMessage({ event: 'crash', data: error.message });
  }
};
