import type { Database as Engine } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { fsyncFile } from '../fsync.ts'
import {
  DELETE_UNFINISHED_MARKER,
  isMovedAway,
  labelsForFolder,
  MARKER_TABLE,
  type MoveMarker,
  parseMarker,
  SELECT_MARKER,
  toMovedReason,
} from '../moved-marker.ts'
import { Connection } from './connection.ts'
import { isDatabaseLocked } from './errors.ts'
import { hasContent, incomingMovePath } from './stale-files.ts'

const hasMarkerTable = (engine: Engine): boolean =>
  engine.query('select 1 from sqlite_master where name = ?').get(MARKER_TABLE) !== null

/** The move marker of an open database; null where it has none. */
export const readMarkerOf = (engine: Engine): MoveMarker | null =>
  hasMarkerTable(engine) ? parseMarker(engine.query(SELECT_MARKER).values() as unknown[][]) : null

/**
 * The move marker of a database file. Null where it has none, and where the file cannot be read: opening it reports that.
 * @throws Error of the engine while another program locks the file
 */
export function readMarker(file: string): MoveMarker | null {
  let engine: Connection | undefined
  try {
    engine = new Connection(file, { readonly: true })
    return readMarkerOf(engine)
  } catch (error) {
    if (isDatabaseLocked(error)) throw error
    return null
  } finally {
    engine?.close()
  }
}

/** Why the database of a folder cannot be used because of a move; null where it can. */
export function readMovedReason(database: string): string | null {
  const incomingPath = incomingMovePath(database)
  const labels = labelsForFolder(dirname(database), incomingPath)
  if (!existsSync(incomingPath))
    return hasContent(database) ? toMovedReason(readMarker(database), labels) : null
  const marker: MoveMarker = readMarker(incomingPath) ?? {
    id: '',
    role: 'to',
    other: 'elsewhere',
    doneAt: null,
  }
  return toMovedReason({ ...marker, doneAt: null }, labels)
}

/** Forgets an unfinished move from a database, because the database is in use again. */
export function clearUnfinishedMove(engine: Engine): void {
  if (hasMarkerTable(engine)) engine.run(DELETE_UNFINISHED_MARKER)
}

/** Removes the marker of a database whose data was moved away, because the user has restored it. */
export function clearMovedMarker(file: string): void {
  if (!isMovedAway(readMarker(file))) return
  const engine = new Connection(file, { readwrite: true })
  engine.run('PRAGMA synchronous = FULL')
  engine.run(`delete from ${MARKER_TABLE}`)
  engine.close()
  fsyncFile(file)
}
