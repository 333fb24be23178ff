// Reproducible random numbers, so that a picture looks the same on every visit.

/** Returns a function that returns numbers from 0 to 1. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
