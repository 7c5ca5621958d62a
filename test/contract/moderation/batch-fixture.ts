import { compareRecords, type RecordDifference } from '@reeve/moderation'
import type { Instance, RequestOptions } from '../../support/instance.ts'
import { type Fields, openModerationFixture } from './fixture.ts'

const path = '/api/moderation/batches'

/** Fields that every change of a record replaces. */
const REPLACED = { updatedAt: '', sequence: '', version: '' }

/** A new workspace, and the requests that tests of batches send. */
export async function openBatchFixture(instance: Instance) {
  const fixture = await openModerationFixture(instance)
  const toPath = (query: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ workspaceId: fixture.id, ...query })}`

  const toOptions = (options: RequestOptions) =>
    options.session === undefined ? { key: fixture.key, ...options } : options
  const send = (body: Fields, options: RequestOptions = {}) =>
    instance.request('POST', toPath(), { ...toOptions(options), body })
  async function sendOk(body: Fields, options: RequestOptions = {}) {
    const response = await send(body, options)
    if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${response.text}`)
    return response.body
  }
  const readBatch = async (id: string) =>
    (await instance.request('GET', toPath({ id, limit: '200' }), { key: fixture.key })).body

  /** Requests a batch that does not run yet. */
  async function queue(body: Fields, options: RequestOptions = {}) {
    const url = new URL(toPath(), 'http://localhost:3000')
    const headers = new Headers({ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' })
    const { key, session } = toOptions(options)
    if (session === undefined) headers.set('authorization', `Bearer ${key}`)
    else headers.set('cookie', `reeve_session=${session}`)
    const response = await instance.fetch(
      new Request(url, { method: 'POST', headers, body: JSON.stringify(body) }),
    )
    if (response.status !== 200) throw new Error(await response.text())
    return ((await response.json()) as { batch: { id: string } }).batch
  }

  /** Requests a batch and runs it to its end. @returns the batch and its results */
  const runBatch = async (body: Fields, options: RequestOptions = {}) =>
    readBatch((await sendOk(body, options)).batch.id)
  const reverse = (id: string) => runBatch({ action: 'reverse', id, reason: 'Reversed' })

  /** The records and the sanctions in force, without what every change replaces. */
  async function readState() {
    const { records } = (await fixture.get({ limit: '200' })).body
    const complete: { id: string; status: string }[] = []
    for (const { id } of records) {
      const { record } = await fixture.getRecord(id)
      complete.push({ ...record, ...REPLACED })
    }
    const { bans } = (await fixture.get({ banList: 'true', limit: '200' })).body
    const mutes = (await fixture.get({ action: 'mute', status: 'active', limit: '200' })).body.records
    const sanctions = [...bans, ...mutes].map((record: object) => ({ ...record, ...REPLACED }))
    return { records: complete, sanctions }
  }

  /** The targets and fields of an action on players or on their records; null if there are none. */
  async function toTargets(action: string, players: readonly string[], duration: Fields) {
    const { records } = (await fixture.get({ userId: players.join(',') })).body
    const recordIds = records.map(({ id }: { id: string }) => id)
    const onRecords: Record<string, Fields> = {
      edit: { severity: 'critical', reason: 'edited' },
      comment: { value: 'A comment' },
      revoke: { reason: 'revoked' },
      acknowledge: {},
    }
    const fields = onRecords[action]
    if (fields) return recordIds.length === 0 ? null : { recordIds, ...fields }
    const isSanction = action === 'ban' || action === 'mute'
    return { userIds: players, reason: 'batch', ...(isSanction && duration) }
  }

  /** Sends a write of a member that must succeed. @returns the record */
  async function actAs(session: string, body: Fields) {
    const response = await instance.request('POST', fixture.toPath({}), { session, body })
    if (response.status !== 200) throw new Error(`${JSON.stringify(body)}: ${response.text}`)
    return response.body.record
  }

  /** The differences between the records of the instance and the audit log. */
  async function compareWithLog() {
    const differences: RecordDifference[] = []
    await compareRecords(instance.db.read, { onDifference: (difference) => differences.push(difference) })
    return differences
  }

  return {
    ...fixture,
    send,
    sendOk,
    readBatch,
    queue,
    runBatch,
    reverse,
    readState,
    toTargets,
    actAs,
    compareWithLog,
  }
}

export type BatchFixture = Awaited<ReturnType<typeof openBatchFixture>>
