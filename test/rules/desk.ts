import { expect } from 'bun:test'
import { DAY_MS, HOUR_MS, MINUTE_MS, permissions } from '@reeve/core'
import { applyRetention } from '@reeve/moderation'
import { openErasureFixture } from '../contract/moderation/erasure-fixture.ts'
import type { Fields } from '../contract/moderation/fixture.ts'
import { createImportRequests } from '../contract/moderation/import-fixture.ts'
import { archiveWorkspace, type Workspace } from '../contract/workspaces/fixture.ts'
import type { Instance, RequestOptions, TestResponse } from '../support/instance.ts'
import { readLastJob } from '../support/workspace-jobs.ts'
import type { ImportedRow, Step } from './desk-steps.ts'

/** A record of a list, as far as steps and views need it. */
export interface ListedRecord {
  readonly id: string
  readonly action: string
  readonly status: string
  readonly userId: string
  readonly createdAt: string
  readonly durationSeconds: string | null
  readonly expiresAt: string | null
  readonly appealCode: string | null
  /** Lists only. */
  readonly waitsForApproval: string
}

/** The fields of each change of a record. */
const CHANGES: Readonly<Record<string, Fields>> = {
  edit: { action: 'edit', reason: 'Edited by somebody', severity: 'critical' },
  shorten: { action: 'edit', durationSeconds: '7200' },
  extend: { action: 'extend', value: '3600' },
  reduce: { action: 'extend', value: '-1800' },
  comment: { action: 'comment', value: 'Seen again' },
  evidence: { action: 'evidence', value: 'https://example.com/clip' },
  revoke: { action: 'revoke', reason: 'Mistake' },
  redact: { action: 'redact', reason: 'Personal data' },
  acknowledge: { action: 'acknowledge' },
}

/** A new workspace in which the steps of desk-steps.ts happen. @param count gets what each of them has done */
export async function openDesk(instance: Instance, count: (name: string) => void) {
  const fixture = await openErasureFixture(instance)
  const { id: workspaceId, session, key } = fixture
  const workspace = fixture as Workspace
  const { importText } = createImportRequests(() => instance)
  const asker = await instance.member(
    workspaceId,
    ['moderation.view', 'moderation.ban', 'moderation.mute', 'moderation.warn', 'moderation.note'],
    5,
    { permanentBansNeedApproval: true },
  )
  /** Nobody decides about what they have imposed themselves. */
  const judge = await instance.member(
    workspaceId,
    ['moderation.view', 'moderation.approve', 'appeals.view', 'appeals.decide'],
    20,
  )
  const raider = await instance.member(workspaceId, permissions)
  const game = await instance.key(workspaceId, ['appeals.submit'])
  const batches: string[] = []
  const archives: string[] = []

  /** Reads all pages of a list. */
  async function listAll(query: Record<string, string> = {}, field = 'records'): Promise<ListedRecord[]> {
    const all: ListedRecord[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = { limit: '7', ...(cursor && { cursor }) }
      const { body, status, text } = await fixture.get({ ...(query.asOf === undefined && page), ...query })
      if (status !== 200) throw new Error(text)
      all.push(...body[field])
      cursor = body.nextCursor ?? null
    }
    return all
  }

  /** Sends a write that the state of the workspace may not allow. */
  async function write(
    name: string,
    path: string,
    body: Fields,
    options: RequestOptions = { session },
  ): Promise<TestResponse> {
    const response = await instance.request('POST', path, { ...options, body })
    if (response.status >= 500) throw new Error(`${name}: ${response.text}`)
    count(response.status === 200 ? name : `${name}: ${response.body.code}`)
    return response
  }
  const moderate = (name: string, body: Fields, options?: RequestOptions) =>
    write(name, fixture.toPath({}), body, options)
  const pickFrom = <T>(list: readonly T[], index: number): T | undefined => list[index % (list.length || 1)]

  async function runBatch({ action, players, duration }: Extract<Step, { kind: 'batch' }>): Promise<void> {
    const onRecords = CHANGES[action]
    const records = onRecords ? await listAll({ userId: players.join() }) : []
    if (onRecords && records.length === 0) return
    const isSanction = action === 'ban' || action === 'mute'
    const { status, body } = await write(`batch of ${action}`, '/api/moderation/batches', {
      workspaceId,
      ...(onRecords
        ? { ...onRecords, recordIds: records.map(({ id }) => id) }
        : { action, userIds: players, reason: 'Raided together', ...(isSanction && duration) }),
    })
    if (status !== 200) return
    batches.unshift(body.batch.id)
    for (const record of records) assertExtended(record, (await fixture.getRecord(record.id)).record, action)
  }

  async function change({ index, change: name }: Extract<Step, { kind: 'change' }>): Promise<void> {
    const record = pickFrom(await listAll(), index)
    if (!record) return
    const { status, body } = await moderate(name, { ...CHANGES[name], id: record.id })
    if (status === 200) assertExtended(record, body.record, name)
  }

  /** Shortens a sanction as a raider, and undoes that once it has expired. It is in force again, unless another one is. */
  async function raid({ index, isReplaced, isLate }: Extract<Step, { kind: 'raid' }>): Promise<void> {
    const sanctions = (await listAll({ action: 'ban,mute', status: 'active' })).filter(
      ({ userId }) => !userId.startsWith('pseudonym:'),
    )
    const before = pickFrom(sanctions, index)
    if (!before) return
    const now = instance.clock.now()
    const seconds = Math.ceil((now - Date.parse(before.createdAt)) / 1000) + 60
    const shortened = { action: 'edit', id: before.id, durationSeconds: String(seconds) }
    if ((await moderate('raid', shortened, raider)).body.record?.durationSeconds !== String(seconds)) return
    instance.clock.advance(2 * MINUTE_MS)
    const { action, userId } = before
    const again = { action, userId, reason: 'Again', durationSeconds: '600' }
    if (isReplaced) await moderate('again', again, { key })
    if (isLate) instance.clock.advance(HOUR_MS)
    const since = new Date(now).toISOString()
    const undo = { workspaceId, action: 'undo', actorUserId: raider.accountId, since, reason: 'Raid' }
    const { body } = await write('undo of a raid', '/api/moderation/batches', undo, { key })
    const query = new URLSearchParams({ workspaceId, id: body.batch.id })
    const { batch } = (await instance.request('GET', `/api/moderation/batches?${query}`, { key })).body
    const isOver = before.expiresAt !== null && Date.parse(before.expiresAt) <= instance.clock.now()
    const isBack = isOver || isLate || !isReplaced
    expect([batch.succeeded, batch.failed]).toEqual(isBack ? ['1', '0'] : ['0', '1'])
    const { status, durationSeconds, expiresAt } = (await fixture.getRecord(before.id)).record
    count(`raid undone: ${status}`)
    expect(status).toBe(isBack && !isOver ? 'active' : 'expired')
    if (isBack)
      expect({ durationSeconds, expiresAt }).toEqual({
        durationSeconds: before.durationSeconds,
        expiresAt: before.expiresAt,
      })
  }

  async function importRows({ rows, conflicts }: Extract<Step, { kind: 'import' }>): Promise<void> {
    const lines = rows.map((row) => formatRow(row, instance.clock.now()))
    const text = [CSV_HEADER, ...lines].join('\n')
    const { result } = await importText('csv', 'old.csv', text, { workspace, source: 'old', conflicts })
    expect(result).toMatchObject({ state: 'succeeded', unreadable: '0' })
    count('import')
  }

  async function decide({ index, decision }: Extract<Step, { kind: 'decide' }>): Promise<void> {
    const search = new URLSearchParams({ workspaceId, limit: '50' })
    const { body } = await instance.request('GET', `/api/moderation/approvals?${search}`, { key })
    const open = body.approvals.filter(({ state }: { state: string }) => state === 'pending')
    const { id } = pickFrom<{ id: string }>(open, index) ?? {}
    if (id === undefined) return
    const request = { workspaceId, id, action: decision, reason: 'So' }
    await write(decision, '/api/moderation/approvals', request, judge)
  }

  async function appeal({ index, decision }: Extract<Step, { kind: 'appeal' }>): Promise<void> {
    const { appealCode: code } = pickFrom(await listAll({ action: 'ban' }), index) ?? {}
    if (!code) return
    const message = 'It was my brother.'
    const sent = await write('appeal', '/api/appeals', { workspaceId, code, message }, { key: game })
    if (sent.status !== 200) return
    const shortened = decision === 'reduced' && { durationSeconds: '90000' }
    const body = { workspaceId, id: sent.body.appeal.id, decision, ...shortened }
    await write(decision, '/portal/api/appeals/decide', body, judge)
  }

  async function rollBack(index: number): Promise<void> {
    const fromArchive = pickFrom(archives, index)
    if (fromArchive === undefined) return
    await archiveWorkspace(instance, workspace)
    await write('roll-back', '/api/workspaces', { id: workspaceId, fromArchive })
    expect(await readLastJob(instance, workspace)).toMatchObject({ state: 'succeeded', error: null })
  }

  async function retain(days: string | null): Promise<void> {
    await fixture.post('/api/moderation/retention', { banDays: days, warnDays: days, noteDays: days })
    await applyRetention(instance.db, instance.ports, AbortSignal.timeout(60_000))
    count('retention')
  }

  /** Lets time pass, and everybody use their session then, which would otherwise end after some days. */
  async function wait(ms: number): Promise<void> {
    instance.clock.advance(ms)
    for (const used of [session, asker.session, judge.session, raider.session])
      await instance.request('GET', '/portal/api/me', { session: used })
  }

  /** Does one step, a millisecond after the one before. */
  async function apply(step: Step): Promise<void> {
    instance.clock.advance(1)
    switch (step.kind) {
      case 'act': {
        const { action, userId, duration, isAsked } = step
        const isSanction = action === 'ban' || action === 'mute'
        const body = { action, userId, reason: 'Exploiting', ...(isSanction && duration) }
        await moderate(action, body, isAsked ? asker : { session })
        return
      }
      case 'lift':
        await moderate(step.action, { action: step.action, userId: step.userId })
        return
      case 'change':
        return change(step)
      case 'batch':
        return runBatch(step)
      case 'undo': {
        const id = pickFrom(batches, step.index)
        if (id === undefined) return
        const body = { workspaceId, action: 'reverse', id, reason: 'Undone' }
        await write('undo', '/api/moderation/batches', body)
        return
      }
      case 'raid':
        return raid(step)
      case 'import':
        return importRows(step)
      case 'erase':
        if ((await fixture.request(step.userId, step.mode)).status === 200) await fixture.run()
        count(step.mode)
        return
      case 'decide':
        return decide(step)
      case 'appeal':
        return appeal(step)
      case 'archive':
        archives.unshift((await archiveWorkspace(instance, workspace)).id)
        await write('restore', '/api/workspaces', { id: workspaceId, archive: false })
        return
      case 'roll back':
        return rollBack(step.index)
      case 'retain':
        return retain(step.days)
      case 'platform':
        return fixture.setPlatform(step.defaultPlatform)
      case 'wait':
        return wait(step.ms)
    }
  }

  return { ...fixture, listAll, apply }
}

export type Desk = Awaited<ReturnType<typeof openDesk>>

/** Asserts that a change has moved the end of a sanction by as much as it says, if it has moved it. */
function assertExtended(before: ListedRecord, after: ListedRecord, name: string): void {
  const { action, value } = CHANGES[name] ?? {}
  if (action !== 'extend' || before.expiresAt === null || before.expiresAt === after.expiresAt) return
  expect(Date.parse(String(after.expiresAt)) - Date.parse(before.expiresAt)).toBe(Number(value) * 1000)
}

const CSV_HEADER = 'sourceId,action,userId,reason,occurredAt,until,revokedAt'

/** @param now epoch milliseconds */
function formatRow(
  { sourceId, action, userId, daysAgo, lastsDays, isLifted }: ImportedRow,
  now: number,
): string {
  const at = now - daysAgo * DAY_MS - 1000
  const format = (time: number) => new Date(time).toISOString()
  const isSanction = action === 'ban' || action === 'mute'
  const until = isSanction && lastsDays !== null ? format(at + lastsDays * DAY_MS) : ''
  const revokedAt = isSanction && isLifted ? format(at + 500) : ''
  return [sourceId, action, userId, 'Imported from the old bot', format(at), until, revokedAt].join()
}
