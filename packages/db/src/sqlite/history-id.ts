import type { Database as Engine } from 'bun:sqlite'
import { createHistoryValue, INSERT_HISTORY, SELECT_HISTORY, toHistoryId } from '../history-id.ts'
import { readMarkerOf } from './moved-marker.ts'

/** The id of the history of a database that this process has opened for writing. A move to this folder begins another history. */
export function loadHistoryId(writer: Engine): string {
  writer.run(INSERT_HISTORY, [createHistoryValue()])
  const row = writer.query<{ value: string }, []>(SELECT_HISTORY).get()
  return toHistoryId(row?.value ?? '', readMarkerOf(writer)?.id ?? null)
}
