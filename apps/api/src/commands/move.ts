import { resolve } from 'node:path'
import type { DataLocation } from '@reeve/db'
import type { MoveProgress, MoveWait } from '@reeve/db/move'
import { localCommand, type Progress, required } from '../command-line/command.ts'
import { readSettings } from '../config.ts'
import { pluralize } from '../format.ts'
import { systemPorts } from '../ports.ts'
import { moveSecretKey } from '../secret-key/move.ts'
import { settings } from '../settings.ts'
import { assertInstance } from './unused-instance.ts'

/** A data location: a database URL, which has a scheme, or a folder. */
const locationCodec = {
  read: (text: string): DataLocation =>
    text.includes('://')
      ? { dataDir: '', databaseUrl: settings.databaseUrl.read(text) }
      : { dataDir: resolve(text), databaseUrl: null },
}

/** Copies all data, compares source and target, and marks the source as moved, so that no server starts on it again. */
export const moveCommand = localCommand({
  options: {
    to: required(
      '<target>',
      'an empty PostgreSQL database (postgres://user@host/name, with its password in PGPASSWORD) or a folder',
      locationCodec,
    ),
  },
  settings: ['dataDir', 'databaseUrl', 'secretKey'],
  async run({ flags, env, progress }, { to }) {
    const from = readSettings(['dataDir', 'databaseUrl', 'secretKey'], flags, env)
    assertInstance(from)
    // Imported here so that no other command loads it.
    const { moveData } = await import('@reeve/db/move')
    const moved = await moveData(from, to, systemPorts.now, createMoveProgress(progress))
    return { ...moved, keyAdvice: await moveSecretKey(from, to) }
  },
  print: ({ from, to, tables, keptAside, keyAdvice }) =>
    [
      `Moved all data from ${from} to ${to} and verified it: ` +
        `${pluralize(
          tables.reduce((sum, { rows }) => sum + rows, 0),
          'row',
        )} in ${pluralize(tables.length, 'table')}.`,
      ...(keptAside === null
        ? []
        : [`The database that was there is kept as ${keptAside}. Remove it when you no longer need it.`]),
      keyAdvice,
      'Set REEVE_DATABASE_URL or REEVE_DATA_DIR to the new location and start the server. No server starts on the old one any more.',
    ].join('\n'),
})

const STEPS = { copy: 'Copying all tables', compare: 'Comparing source and target' } as const

/** Reports waiting, copying and comparing as steps, and the progress of each table. */
function createMoveProgress(progress: Progress): (update: MoveProgress | MoveWait) => void {
  let step = ''
  return (update) => {
    if (update.phase === 'wait') return progress.step(update.reason)
    const { phase, table, rows, total } = update
    if (STEPS[phase] !== step) progress.step(STEPS[phase])
    step = STEPS[phase]
    progress.update(`${table}: ${rows.toLocaleString('en')} of ${total.toLocaleString('en')} rows`)
  }
}
