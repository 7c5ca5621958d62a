import type { Actor, Ports } from '@reeve/core'
import type { Queries } from '@reeve/db'
import { CSV_PAGE_ROWS, type CsvFile, requestObject } from '@reeve/http'
import { listEntries, listInstanceEntries } from './list-entries.ts'
import {
  AuditQuery,
  type AuditQueryInput,
  type EntryResponse,
  InstanceAuditQuery,
  type InstanceAuditQueryInput,
  presentEntry,
} from './model.ts'

const { limit: _, cursor: __, ...filters } = AuditQuery.properties
const { limit: ___, cursor: ____, ...instanceFilters } = InstanceAuditQuery.properties

/** The filters of the list, without its page. */
export const AuditCsvQuery = requestObject(filters)

const formatJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

/** The columns of the file, with their values. */
const columns = {
  sequence: (entry) => entry.sequence,
  at: (entry) => entry.at,
  actorKind: (entry) => entry.actorKind,
  actorId: (entry) => entry.actorId,
  actorName: (entry) => entry.actorName,
  action: (entry) => entry.action,
  targetKind: (entry) => entry.targetKind,
  targetId: (entry) => entry.targetId,
  before: (entry) => formatJson(entry.changes?.before),
  after: (entry) => formatJson(entry.changes?.after),
  unchangedItems: (entry) => formatJson(entry.changes?.unchangedItems),
  address: (entry) => entry.address,
  requestId: (entry) => entry.requestId,
  hash: (entry) => entry.hash,
} as const satisfies Record<string, (entry: EntryResponse) => string | null>

/** The filters of the list of the instance, without its page. */
export const InstanceAuditCsvQuery = requestObject(instanceFilters)

type ReadPage = (page: { readonly limit: number; readonly cursor?: string }) => ReturnType<typeof listEntries>

/** The audit log of a workspace as a CSV file, newest first. */
export const createAuditCsv = (db: Queries, ports: Ports, actor: Actor, input: AuditQueryInput): CsvFile =>
  createCsv('audit', ports, (page) => listEntries(db, actor, { ...input, ...page }))

/** The audit log of the instance as a CSV file, newest first. */
export const createInstanceAuditCsv = (db: Queries, ports: Ports, input: InstanceAuditQueryInput): CsvFile =>
  createCsv('instance-audit', ports, (page) => listInstanceEntries(db, { ...input, ...page }))

const createCsv = (name: string, ports: Ports, readPage: ReadPage): CsvFile => ({
  name,
  createdAt: ports.now(),
  header: Object.keys(columns),
  async readPage(cursor) {
    const page = { limit: CSV_PAGE_ROWS, ...(cursor !== undefined && { cursor }) }
    const { rows, nextCursor } = await readPage(page)
    const lines = rows.map(presentEntry).map((entry) => Object.values(columns).map((format) => format(entry)))
    return { lines, nextCursor }
  },
})
