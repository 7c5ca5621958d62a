/** A secret key that is missing, unreadable or wrong. The message says what to do, and never contains the key. */
export class SecretKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SecretKeyError'
  }
}
