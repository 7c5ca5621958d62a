import { expect } from 'bun:test'
import { idLiteral } from '../../support/engine.ts'
import type { Instance, RequestOptions, TestResponse } from '../../support/instance.ts'

export type Workspace = Awaited<ReturnType<Instance['workspace']>>

/** The stored bytes of a workspace by kind. */
export interface Bytes {
  readonly records: number
  readonly images: number
  readonly evidence: number
  readonly archives: number
  readonly responses: number
}

/** What each row counts besides its texts. */
const ROW = 256

const sizes = (...columns: string[]) =>
  columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ')

/** The tables whose rows count, and which of their columns do. */
export const COUNTED_TEXTS = {
  record: ['user_username', 'reason', 'evidence', 'evidence_files', 'comments', 'revoke_reason'],
  record_version: ['snapshot'],
  appeal: ['answers'],
  appeal_message: ['text'],
  audit: ['changes'],
  batch_item: ['target', 'message'],
  delivery: ['payload', 'response'],
  idempotency: ['answer'],
  import_issue: ['message'],
} as const

/** Counts the rows of a workspace, without our own code. */
export async function countRows({ storage }: Instance, workspaceId: string): Promise<Bytes> {
  const sum = async (
    expression: string,
    table: string,
    where = `workspace_id = ${idLiteral(workspaceId)}`,
  ) => {
    const [row] = await storage.query<{ sum: number | string | null }>(
      `select sum(${expression}) as sum from ${table} where ${where}`,
    )
    return Number(row?.sum ?? 0)
  }
  const { idempotency, ...tables } = COUNTED_TEXTS
  let records = await sum('size_bytes * has_parts', 'import')
  for (const [table, columns] of Object.entries(tables))
    records += await sum(`${ROW} + ${sizes(...columns)}`, table)
  return {
    records,
    images: await sum(
      'coalesce(octet_length(bytes), size_bytes, 0)',
      'media',
      `exists (select 1 from event where workspace_id = ${idLiteral(workspaceId)} and image_url like '%' || hash || '%')`,
    ),
    evidence: await sum('size_bytes', 'evidence_file'),
    archives: await sum('size_bytes', 'archive'),
    responses: await sum(`${ROW} + ${sizes(...idempotency)}`, 'idempotency'),
  }
}

/** Expects that the counters of a workspace are those of its rows. @returns them */
export async function expectExactCounters(instance: Instance, workspaceId: string): Promise<Bytes> {
  const counters = await readCounters(instance, workspaceId)
  expect(counters).toEqual(await countRows(instance, workspaceId))
  return counters
}

/** The counters of a workspace. */
export async function readCounters({ storage }: Instance, workspaceId: string): Promise<Bytes> {
  const [row] = await storage.query<Record<string, number | string>>(
    `select * from workspace_head where workspace_id = ${idLiteral(workspaceId)}`,
  )
  return {
    records: Number(row?.record_bytes),
    images: Number(row?.image_bytes),
    evidence: Number(row?.evidence_bytes),
    archives: Number(row?.archive_bytes),
    responses: Number(row?.response_bytes),
  }
}

/** Sends the requests of a workspace's key. */
export function createRequests(instance: Instance, { id, key }: Workspace) {
  const send = (
    method: string,
    path: string,
    body: object,
    options: RequestOptions = {},
  ): Promise<TestResponse> =>
    instance.request(method, `/api/${path}`, { key, body: { workspaceId: id, ...body }, ...options })
  const moderate = (body: object, options?: RequestOptions) => send('POST', 'moderation', body, options)
  const ban = (body: object = {}, options?: RequestOptions) =>
    moderate({ action: 'ban', userId: '7', reason: 'Exploits', ...body }, options)
  const writeEvent = (body: object, method = 'POST') =>
    send(method, 'events', { title: 'Patrol', scheduledFor: '2030-01-01T00:00:00Z', ...body })
  const archive = () => instance.request('POST', '/api/workspaces', { key, body: { id, action: 'archive' } })
  const restore = (body: object = {}) =>
    instance.request('POST', '/api/workspaces', { key, body: { id, action: 'restore', ...body } })
  return { send, moderate, ban, writeEvent, archive, restore }
}
