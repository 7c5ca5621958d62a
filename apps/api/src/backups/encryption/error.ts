/** An encrypted backup that cannot be read. The message continues a sentence that begins with the name of the backup. */
export class EncryptedBackupError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'EncryptedBackupError'
  }
}
