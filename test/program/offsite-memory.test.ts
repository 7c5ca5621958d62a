import { afterAll, beforeAll, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fillWithImages } from '../load/support/fill-images.ts'
import { watchMemory } from '../load/support/resources.ts'
import { BINARY, ROOT, readResult } from '../support/program.ts'
import { SECRET_KEY } from '../support/secret-key.ts'
import { type OffsiteFixture, openOffsiteFixture } from './offsite-fixture.ts'

const TIMEOUT_MS = 240_000
/** What a command may use whatever the size of the instance. */
const MAX_RESIDENT_BYTES = 300 * 1024 * 1024
/** Far more than the bound leaves beside the program itself. */
const DATABASE_BYTES = 400_000_000

let fixture: OffsiteFixture
beforeAll(async () => {
  fixture = await openOffsiteFixture()
  fillWithImages(fixture.folder.data, DATABASE_BYTES)
}, TIMEOUT_MS)
afterAll(() => fixture.close())

/** Runs a command that must succeed. @returns its peak memory in bytes */
async function measureCommand(...args: string[]): Promise<number> {
  const child = Bun.spawn([...BINARY, ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...fixture.env,
      REEVE_SECRET_KEY: SECRET_KEY,
      REEVE_DATA_DIR: fixture.folder.data,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const memory = watchMemory(child.pid)
  const { exitCode, out, err } = await readResult(child)
  expect({ exitCode, out, err }).toMatchObject({ exitCode: 0 })
  return memory.stop().peak
}

test(
  'backing up a large instance to a bucket, verifying and restoring it does not fill the memory',
  async () => {
    const restored = join(fixture.folder.path, 'restored')
    const peaks = {
      backup: await measureCommand('backup'),
      verify: await measureCommand('backup', 'verify', '--from', 's3://images/backups/latest'),
      restore: await measureCommand(
        ...['restore', '--from', 's3://images/backups/latest', '--data-dir', restored, '--create'],
      ),
    }
    expect(statSync(join(restored, 'reeve.db')).size).toBeGreaterThanOrEqual(DATABASE_BYTES)
    const tooHigh = Object.entries(peaks).filter(([, peak]) => !(peak > 0 && peak < MAX_RESIDENT_BYTES))
    expect(tooHigh).toEqual([])
  },
  TIMEOUT_MS,
)
