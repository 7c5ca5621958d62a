import { expect } from 'bun:test'
import { join } from 'node:path'
import type { DataLocation } from '../src/index.ts'

/** Moves in a child process that is killed after copying `rows` rows of the largest table. */
export async function runKilledMove(from: DataLocation, to: DataLocation, rows = 1000): Promise<void> {
  const child = Bun.spawn(
    [
      process.execPath,
      '-e',
      `
      import { moveData } from ${JSON.stringify(join(import.meta.dir, '../src/move/move.ts'))}
      await moveData(${JSON.stringify(from)}, ${JSON.stringify(to)}, Date.now, ({ phase, table, rows }) => {
        if (phase === 'copy' && table === 'audit' && rows >= ${rows}) process.kill(process.pid, 'SIGKILL')
      })`,
    ],
    { stdout: 'inherit', stderr: 'inherit' },
  )
  expect([await child.exited, child.signalCode]).toEqual([137, 'SIGKILL'])
}
