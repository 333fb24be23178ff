// Numbers and nouns in sentences.

/** Formats a number with separators: `12,345`. */
export const grouped = (number) => Number(number).toLocaleString('en-US');

/** A number with its noun in the singular or plural: `1 move`, `1,200 moves`. */
export const counted = (number, noun, plural = `${noun}s`) =>
  `${grouped(number)} ${Number(number) === 1 ? noun : plural}`;
