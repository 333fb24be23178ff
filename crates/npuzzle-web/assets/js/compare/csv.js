// The rows of a comparison as CSV, like `npuzzle compare --output csv`.

/** @param {Record<string, string | number | boolean | null>[]} rows at least one; the fields are the columns */
export function toCsv(rows) {
  const columns = Object.keys(rows[0]);
  const lines = rows.map((row) => columns.map((name) => field(row[name])).join(','));
  return [columns.join(','), ...lines, ''].join('\n');
}

function field(value) {
  const text = String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
