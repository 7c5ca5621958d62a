import { expect } from 'bun:test'
import { join } from 'node:path'
import type { DataLocation } from '../src/index.ts'
import { queryServer } from './cluster.ts'

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
  for (const { databaseUrl } of [from, to]) if (databaseUrl !== null) await waitForDisconnect(databaseUrl)
}

/** Waits until PostgreSQL has noticed that a client is gone: until then, its session holds the lock of the move. */
async function waitForDisconnect(url: string): Promise<void> {
  const otherSessions =
    'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  while ((await queryServer(url, otherSessions)).length > 0);
}
