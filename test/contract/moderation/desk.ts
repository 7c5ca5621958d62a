import { expect } from 'bun:test'
import type { Answer, CallOptions, Instance } from '../../support/instance.ts'
import { stored } from '../../support/stored.ts'

export const path = '/api/moderation'

/** In milliseconds. */
export const SECOND = 1000

export type Fields = Record<string, unknown>

/** What the tests of moderation do all the time, in a workspace of their own. */
export async function openDesk(instance: Instance) {
  const workspace = await instance.workspace()
  const at = (query: Record<string, string>) =>
    `${path}?${new URLSearchParams({ workspaceId: workspace.id, ...query })}`

  const act = (body: Fields, as: CallOptions = {}) =>
    instance.call('POST', at({}), { key: workspace.key, ...as, body })

  /** Acts, and insists that it was done. @returns the record */
  async function done(body: Fields, as: CallOptions = {}) {
    const answer = await act(body, as)
    if (answer.status !== 200) throw new Error(`${JSON.stringify(body)}: ${answer.text}`)
    return answer.body.record
  }

  const ban = (userId: string, more: Fields = {}) =>
    done({ action: 'ban', userId, reason: 'Exploiting', ...more })

  const get = (query: Record<string, string> = {}, as: CallOptions = {}) =>
    instance.call('GET', at(query), { key: workspace.key, ...as })

  /** The bans in force, as a game server asks for them. */
  const bans = async (userId?: string) =>
    (await get({ banList: 'true', ...(userId === undefined ? {} : { userId }) })).body.bans

  const one = async (id: string) => (await get({ id })).body

  /** The time so many milliseconds from now, as answers write it. */
  const iso = (ms = 0) => new Date(instance.clock.now() + ms).toISOString()

  /** Sends what must be refused, and insists that nothing was changed. @returns status, code, and the fields named */
  async function refused(answering: () => Promise<Answer>) {
    const before = await stored(instance)
    const { status, body } = await answering()
    expect(await stored(instance)).toEqual(before)
    const details: { field: string; message: string }[] = body.details ?? []
    return {
      status,
      code: body.code,
      error: body.error,
      fields: details.map(({ field }) => field).sort(),
      details,
    }
  }
  const refusedWrite = (body: Fields | string, query: Record<string, string> = {}, headers = {}) =>
    refused(() => instance.call('POST', at(query), { key: workspace.key, body, headers }))
  const refusedRead = (query: Record<string, string>) => refused(() => get(query))

  return { ...workspace, at, act, done, ban, get, bans, one, iso, refused, refusedWrite, refusedRead }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

export const ids = (records: { id: string }[]) => records.map(({ id }) => id)
