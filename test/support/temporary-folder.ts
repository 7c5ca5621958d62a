import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A temporary folder of its own. */
export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), 'reeve-program-'))
  return {
    path,
    /** Where an instance may lie in it. */
    data: join(path, 'data'),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

export type TemporaryFolder = ReturnType<typeof temporaryFolder>
