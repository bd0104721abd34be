/** An error that a person can act on: a stable code, what went wrong, and what to do about it. */
export class GavelError extends Error {
  readonly code: string;
  readonly cure: string;

  constructor(code: string, message: string, cure: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GavelError";
    this.code = code;
    this.cure = cure;
  }
}
