import { expect } from 'bun:test'
import type { Instance, RequestOptions, TestResponse } from '../../support/instance.ts'
import { readStoredRows } from '../../support/stored-rows.ts'

export const path = '/api/moderation'

/** In milliseconds. */
export const SECOND = 1000

export type Fields = Record<string, unknown>

/** What the tests of moderation do all the time, in a workspace of their own. */
export async function openModerationFixture(instance: Instance) {
  const workspace = await instance.workspace()
  const toPath = (query: Record<string, string>) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`

  const act = (body: Fields, options: RequestOptions = {}) =>
    instance.request('POST', toPath({}), { key: workspace.key, ...options, body })

  /** Acts, and insists that it was done. @returns the record */
  async function actOk(body: Fields, options: RequestOptions = {}) {
    const response = await act(body, options)
    if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${response.text}`)
    return response.body.record
  }

  const ban = (userId: string, fields: Fields = {}) =>
    actOk({ action: 'ban', userId, reason: 'Exploiting', ...fields })

  const get = (query: Record<string, string> = {}, options: RequestOptions = {}) =>
    instance.request('GET', toPath(query), { key: workspace.key, ...options })

  /** The bans in force, as a game server asks for them. */
  const listActiveBans = async (userId?: string) =>
    (await get({ banList: 'true', ...(userId === undefined ? {} : { userId }) })).body.bans

  const getRecord = async (id: string) => (await get({ id })).body

  /** The time so many milliseconds from now, as answers write it. */
  const timeFromNow = (ms = 0) => new Date(instance.clock.now() + ms).toISOString()

  /** Sends what must be refused, and insists that nothing was changed. @returns status, code, and the fields named */
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

export const listIds = (records: { id: string }[]) => records.map(({ id }) => id)
