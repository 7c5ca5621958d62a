import { resolve } from 'node:path'
import { DataFolderError, type DataLocation, hasInstance } from '@reeve/db'
import type { MoveProgress } from '@reeve/db/move'
import { readSettings } from '../config.ts'
import { pluralize } from '../format.ts'
import { realPorts } from '../ports.ts'
import { getDataFolder, settings } from '../settings.ts'
import { localCommand, noInstanceMessage, type Progress, required } from './command.ts'

/** Another place for data: the address of a database, which has a scheme, or a folder. */
const locationCodec = {
  read: (text: string): DataLocation =>
    text.includes('://')
      ? { dataDir: '', databaseUrl: settings.databaseUrl.read(text) }
      : { dataDir: resolve(text), databaseUrl: null },
}

/** Carries everything to another place, compares both, and leaves the source marked, so that only one of them is served. */
export const moveCommand = localCommand({
  options: {
    to: required(
      '<place>',
      'an empty PostgreSQL database (postgres://user@host/name; PGPASSWORD holds its password), or a folder',
      locationCodec,
    ),
  },
  settings: ['dataDir', 'databaseUrl'],
  async run({ flags, env, progress }, { to }) {
    const from = readSettings(['dataDir', 'databaseUrl'], flags, env)
    const folder = getDataFolder(from)
    if (folder !== null && !hasInstance(folder)) throw new DataFolderError(noInstanceMessage(folder))
    // Imported here so that no other command loads it.
    const { moveData } = await import('@reeve/db/move')
    return moveData(from, to, realPorts.now, createMoveProgress(progress))
  },
  print: ({ from, to, tables, keptAside }) =>
    [
      `Everything was moved from ${from} to ${to}, and is the same on both sides: ` +
        `${pluralize(
          tables.reduce((sum, { rows }) => sum + rows, 0),
          'row',
        )} in ${pluralize(tables.length, 'table')}.`,
      ...(keptAside === null ? [] : [`What was there is kept as ${keptAside}; remove it once you are sure.`]),
      'Let REEVE_DATABASE_URL or REEVE_DATA_DIR name the new place, and start the server. The old one is not served any more.',
    ].join('\n'),
})

const STEPS = { copy: 'Copying every table', compare: 'Comparing both sides' } as const

/** Tells of carrying and comparing as steps, and of each table how far it is. */
function createMoveProgress(progress: Progress): (update: MoveProgress) => void {
  let step = ''
  return ({ phase, table, rows, total }) => {
    if (STEPS[phase] !== step) progress.step(STEPS[phase])
    step = STEPS[phase]
    progress.update(`${table}: ${rows.toLocaleString('en')} of ${total.toLocaleString('en')} rows`)
  }
}
