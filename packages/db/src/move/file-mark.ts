import type { Database as Engine } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Connection } from '../connection.ts'
import { syncFile } from '../durable.ts'
import { arrivingFor } from '../leftovers.ts'
import {
  FORGETTING,
  isGone,
  MARK_TABLE,
  type Mark,
  markIn,
  READING,
  refusalOf,
  wordsOfFolder,
} from './mark.ts'

const hasMark = (engine: Engine): boolean =>
  engine.query('select 1 from sqlite_master where name = ?').get(MARK_TABLE) !== null

/** The mark of a database file; null where it has none, or cannot be read: whoever opens it is told of that. */
export function markOf(file: string): Mark | null {
  let engine: Connection | undefined
  try {
    engine = new Connection(file, { readonly: true })
    return hasMark(engine) ? markIn(engine.query(READING).values() as unknown[][]) : null
  } catch {
    return null
  } finally {
    engine?.close()
  }
}

/** Why the database of a folder cannot be used for a move that came from it or to it; null where it can. */
export function moveRefusal(database: string): string | null {
  const arriving = arrivingFor(database)
  const words = wordsOfFolder(dirname(database), arriving)
  if (!existsSync(arriving)) return existsSync(database) ? refusalOf(markOf(database), words) : null
  const half: Mark = markOf(arriving) ?? { id: '', role: 'to', other: 'elsewhere', doneAt: null }
  return refusalOf({ ...half, doneAt: null }, words)
}

/** Forgets a move from a database that broke off, as the database is used again. */
export function forgetBrokenMove(engine: Engine): void {
  if (hasMark(engine)) engine.run(FORGETTING)
}

/** Makes a database file one that may be served though its data was moved: whoever restores it wants it in use. */
export function forgetMove(file: string): void {
  if (!isGone(markOf(file))) return
  const engine = new Connection(file, { readwrite: true })
  engine.run('PRAGMA synchronous = FULL')
  engine.run(`delete from ${MARK_TABLE}`)
  engine.close()
  syncFile(file)
}
