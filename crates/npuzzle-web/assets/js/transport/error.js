// Errors of requests.

/** An error of a request, with its position in the text if it has one. */
export class ApiError extends Error {
  /** @param {{kind: string, message: string, field?: string, line?: number, column?: number, length?: number}} error */
  constructor(error) {
    super(error.message);
    Object.assign(this, error);
  }
}

/** Whether a request was aborted, which is not an error. */
export const isAbort = (error) => error?.name === 'AbortError';
