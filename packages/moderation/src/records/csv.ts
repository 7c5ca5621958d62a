import { type Actor, MAX_LIMIT, type Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { type CsvFile, requestObject } from '@reeve/http'
import { csvColumns, ModerationReadQuery } from './model.ts'
import type { ListQuery } from './parse-request.ts'
import { findRecordPage } from './read.ts'

const { id: _, limit: __, cursor: ___, ...filters } = ModerationReadQuery.properties

/** The filters of the lists, without paging: a file contains every page. */
export const ModerationCsvQuery = requestObject(filters)

const FILE_NAMES = { bans: 'bans', history: 'ban-history', records: 'records' } as const

/** The records of a list as a CSV file, newest first. */
export const createRecordsCsv = (db: Queries, ports: Ports, actor: Actor, query: ListQuery): CsvFile => ({
  name: FILE_NAMES[query.list],
  createdAt: ports.now(),
  header: Object.keys(csvColumns),
  async readPage(cursor) {
    const page = { ...query, limit: MAX_LIMIT, ...(cursor !== undefined && { cursor }) }
    const { records, nextCursor } = await findRecordPage(db, ports, actor, page)
    const lines = records.map((record) => Object.values(csvColumns).map((format) => format(record)))
    return { lines, nextCursor }
  },
})
