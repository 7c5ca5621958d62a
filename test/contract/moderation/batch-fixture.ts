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

  const game = await instance.key(fixture.id, ['appeals.submit'])
  const reader = await instance.member(fixture.id, ['moderation.view'])
  const getAs = async (accountId: string, route: string, query: Record<string, string> = {}) => {
    const session = await instance.session(accountId)
    const search = new URLSearchParams({ workspaceId: fixture.id, ...query })
    return (await instance.request('GET', `${route}?${search}`, { session })).body
  }

  /** Submits the appeal of a ban. @returns its id */
  async function appeal({ appealCode }: { readonly appealCode: string }): Promise<string> {
    const body = { workspaceId: fixture.id, code: appealCode, message: 'It was my brother.' }
    const response = await instance.request('POST', '/api/appeals', { key: game, body })
    if (response.status !== 200) throw new Error(response.text)
    return response.body.appeal.id
  }
  /** Sends a file with the open appeal of a ban. */
  async function sendAppealFile({ appealCode }: { readonly appealCode: string }, name: string, text: string) {
    const body = { workspaceId: fixture.id, code: appealCode, name, data: btoa(text) }
    const response = await instance.request('POST', '/api/appeals/files', { key: game, body })
    if (response.status !== 200) throw new Error(response.text)
  }
  const manageAppeal = async (verb: string, id: string, fields: Fields = {}, accountId = fixture.ownerId) => {
    const session = await instance.session(accountId)
    const body = { workspaceId: fixture.id, id, ...fields }
    const response = await instance.request('POST', `/portal/api/appeals/${verb}`, { session, body })
    if (response.status !== 200) throw new Error(response.text)
    return response.body.appeal
  }

  /** What depends on records, without what every change replaces: appeals, approvals, what is in an inbox, and counts. */
  async function readDependents() {
    const { appeals } = await getAs(fixture.ownerId, '/portal/api/appeals', { state: 'all', limit: '200' })
    const { approvals } = await getAs(fixture.ownerId, '/api/moderation/approvals', { limit: '200' })
    const { items: mentions } = await getAs(reader.accountId, '/portal/api/inbox', {
      source: 'mentions',
      limit: '200',
    })
    const { totals } = await getAs(fixture.ownerId, '/api/moderation/insights')
    return {
      appeals: appeals.map((one: object) => ({ ...one, ...REPLACED })),
      approvals,
      mentions,
      totals: Object.fromEntries(Object.entries(totals).map(([name, count]) => [name, Number(count)])),
    }
  }

  /** The records and the sanctions in force, without what every change replaces. */
  async function readState() {
    const { records } = (await fixture.get({ limit: '200' })).body
    const complete: { id: string; action: string; status: string }[] = []
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
      comment: { value: `A comment for <@${reader.accountId}>` },
      evidence: { value: 'https://example.com/clip' },
      extend: { value: '3600' },
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
    getAs,
    send,
    sendOk,
    readBatch,
    queue,
    runBatch,
    reverse,
    reader,
    appeal,
    sendAppealFile,
    manageAppeal,
    readDependents,
    readState,
    toTargets,
    actAs,
    compareWithLog,
  }
}

export type BatchFixture = Awaited<ReturnType<typeof openBatchFixture>>
