import fs from 'node:fs'

/** Waits until the content of an open file is on the disk. */
const syncData = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => {
    fs.fdatasync(descriptor, (error) => (error ? reject(error) : resolve()))
  })

/** Writes the WAL of a database to the disk on another thread. SQLite keeps this file while a connection is open. */
export interface WalFile {
  /** @throws Error with the code that SQLite gives a failed fsync */
  readonly sync: () => Promise<void>
  readonly close: () => void
}

/** @param database the path of the database file */
export function createWalFile(database: string): WalFile {
  let descriptor: number | null = null
  return {
    async sync() {
      try {
        // The first write creates the file.
        descriptor ??= fs.openSync(`${database}-wal`, 'r')
        await syncData(descriptor)
      } catch (error) {
        throw Object.assign(new Error('the WAL could not be synced', { cause: error }), {
          code: 'SQLITE_IOERR_FSYNC',
        })
      }
    },
    close() {
      if (descriptor !== null) fs.closeSync(descriptor)
    },
  }
}
