import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary folder. @param parent the folder that it is created in */
export function temporaryFolder(parent = tmpdir()) {
  const path = mkdtempSync(join(parent, 'reeve-program-'))
  return {
    path,
    /** A path in it for the data of an instance. */
    data: join(path, 'data'),
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

export type TemporaryFolder = ReturnType<typeof temporaryFolder>
