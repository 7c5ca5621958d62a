/** A database server that cannot be used as it is; the message says what to do. */
export class DatabaseServerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DatabaseServerError'
  }
}
