import { assertCheckValue, readCheckValue } from '@reeve/audit'
import type { AppContext } from '@reeve/auth'

/**
 * Creates a check whether the instance still has the secret key of this process, for `/readyz`. It reads in the background, so that a process whose
 * connections are busy counts as ready, and throws what the last read has found.
 */
export function createSecretKeyCheck({ db, ports }: Pick<AppContext, 'db' | 'ports'>): () => void {
  // Nothing can exchange the key of a data folder while this process has it locked.
  if (!db.isShared) return () => {}
  let current: string | null = null
  let isReading = false

  async function read(): Promise<void> {
    if (isReading) return
    isReading = true
    try {
      current = await readCheckValue(db.read)
    } catch {
      // The check of the database reports it.
    } finally {
      isReading = false
    }
  }

  return () => {
    void read()
    assertCheckValue(ports, current)
  }
}
