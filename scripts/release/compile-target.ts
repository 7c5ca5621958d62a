import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileBinary } from '../../apps/api/compile.ts'
import { signAdHoc } from './sign.ts'
import { getRuntime, type Target } from './targets.ts'

/** Compiles the binary for a target in a temporary folder. @returns its bytes, and the absolute paths of the modules in it */
export async function compileTarget(
  target: Target,
): Promise<{ readonly binary: Uint8Array<ArrayBuffer>; readonly modules: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'reeve-release-'))
  try {
    const path = join(folder, 'reeve')
    const modules = await compileBinary(path, getRuntime(target))
    const binary = await Bun.file(path).bytes()
    return { binary: target.runtime === 'darwin-x64' ? signAdHoc(binary) : binary, modules }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
