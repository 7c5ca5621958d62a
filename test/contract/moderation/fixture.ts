import { expect } from 'bun:test'
import type { Instance, RequestOptions, TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

export const path = '/api/moderation'

/** In milliseconds. */
export const SECOND = 1000

export type Fields = Record<string, unknown>

/** A new workspace, and the requests that moderation tests send. */
export async function openModerationFixture(instance: Instance) {
  const workspace = await instance.workspace()
  const toPath = (query: Record<string, string>) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`

  const act = (body: Fields, options: RequestOptions = {}) =>
    instance.request('POST', toPath({}), { key: workspace.key, ...options, body })

  /** Sends a write that must succeed. @returns the record */
  async function actOk(body: Fields, options: RequestOptions = {}) {
    const response = await act(body, options)
    if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${response.text}`)
    return response.body.record
  }

  const ban = (userId: string, fields: Fields = {}) =>
    actOk({ action: 'ban', userId, reason: 'Exploiting', ...fields })

  const get = (query: Record<string, string> = {}, options: RequestOptions = {}) =>
    instance.request('GET', toPath(query), { key: workspace.key, ...options })

  /** The ban check of a game server. */
  const listActiveBans = async (userId?: string) =>
    (await get({ banList: 'true', ...(userId === undefined ? {} : { userId }) })).body.bans

  const getRecord = async (id: string) => (await get({ id })).body

  /** The time in so many milliseconds, in the format of responses. */
  const timeFromNow = (ms = 0) => new Date(instance.clock.now() + ms).toISOString()

  /** Sends a write that must be rejected, and checks that it changed nothing. @returns status, code, and the fields named */
  async function expectRejected(sendRequest: () => Promise<TestResponse>) {
    const before = await readStoredRows(instance)
    const { status, body } = await sendRequest()
    expect(await readStoredRows(instance)).toEqual(before)
    const details: { field: string; message: string }[] = body.details ?? []
    return {
      status,
      code: body.code,
      error: body.error,
      fields: details.map(({ field }) => field).sort(),
      details,
    }
  }
  const expectWriteRejected = (body: Fields | string, query: Record<string, string> = {}, headers = {}) =>
    expectRejected(() => instance.request('POST', toPath(query), { key: workspace.key, body, headers }))
  const expectReadRejected = (query: Record<string, string>) => expectRejected(() => get(query))

  return {
    ...workspace,
    toPath,
    act,
    actOk,
    ban,
    get,
    listActiveBans,
    getRecord,
    timeFromNow,
    expectRejected,
    expectWriteRejected,
    expectReadRejected,
  }
}

export type ModerationFixture = Awaited<ReturnType<typeof openModerationFixture>>

/** A record as lists contain it: with the number of its comments and pieces of evidence. */
export const toSummary = ({
  comments,
  evidence,
  evidenceFiles,
  ...record
}: {
  comments: unknown[]
  evidence: unknown[]
  evidenceFiles: unknown[]
}) => ({
  ...record,
  commentCount: String(comments.length),
  waitsForApproval: 'false',
  evidenceCount: String(evidence.length),
  evidenceFileCount: String(evidenceFiles.length),
})

export const listIds = (records: { id: string }[]) => records.map(({ id }) => id)
