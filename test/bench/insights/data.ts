import { DAY_MS } from '@reeve/core'
import {
  countAppealedBan,
  countRecordChange,
  insertAll,
  markResponded,
  type RecordTable,
  startWaiting,
  statement,
  type Transaction,
} from '@reeve/db'
import type { Instance } from '../../support/instance.ts'
import { createWarningRow } from '../record-rows.ts'
import { addRecord, createNaiveCounts } from './naive-counts.ts'

const DAYS = 365
const MODERATORS = 50
const COMMON_REASONS = 60
/** One reason in so many is a text that nobody has used before. */
const UNIQUE_EVERY = 10
/** One ban in so many is appealed, and one of these is appealed twice. */
const APPEALED_EVERY = 10
const APPEALED_TWICE_EVERY = 3
const REVOKED_EVERY = 20
/** One report in so many is never answered. */
const UNANSWERED_EVERY = 8
const PER_TRANSACTION = 1000
const MAX_WAIT_MS = 2 * DAY_MS

const actions = ['ban', 'mute', 'warn', 'kick'] as const
const names = { ban: 'bans', mute: 'mutes', warn: 'warnings', kick: 'kicks' } as const

const insertRecord = statement<RecordTable>()((sql, p) => insertAll(sql, 'record', p))

/** A number from 0 up to a limit that depends only on a text. */
const pick = (text: string, limit: number): number => Number(Bun.hash.wyhash(text) % BigInt(limit))

/** Fills a workspace with the records of a year, reports and appeals. @returns what a naive count of them is */
export async function createInsightData(instance: Instance, workspaceId: string, records: number) {
  const naive = createNaiveCounts()
  const sizes = { records, reports: records / 10, 'appealed bans': 0, appeals: 0 }
  const moderators = Array.from({ length: MODERATORS }, () => instance.ports.newId())
  const firstDay = (Math.floor(instance.clock.now() / DAY_MS) - DAYS + 1) * DAY_MS
  const toTime = (index: number) => firstDay + (index % DAYS) * DAY_MS + (index % DAY_MS)

  /** Notes an appeal or a report that began at a time, and when somebody responded to it. */
  async function addWait(tx: Transaction, kind: 'report' | 'appeal', user: number, openedAt: number) {
    const id = instance.ports.newId()
    await startWaiting(tx, kind, {
      workspace_id: workspaceId,
      id,
      user_id: String(user),
      opened_at: openedAt,
    })
    const wait =
      user % UNANSWERED_EVERY === 0 ? null : pick(`w${kind}${user}`, MAX_WAIT_MS >> pick(`${user}`, 12))
    if (wait !== null) await markResponded(tx, workspaceId, id, openedAt + wait)
    naive.waits[kind].push(wait)
  }

  async function addOne(tx: Transaction, index: number) {
    const action = actions[pick(`a${index}`, actions.length)] ?? 'warn'
    const created_at = toTime(index)
    const reason =
      index % UNIQUE_EVERY === 0
        ? `Seen ${index} times in one hour by two of us`
        : `Reason number ${pick(`r${index}`, COMMON_REASONS)}`
    const moderator = moderators[pick(`m${index}`, MODERATORS)] ?? ''
    const isRevoked = index % REVOKED_EVERY === 0
    const isAppealed = action === 'ban' && pick(`p${index}`, APPEALED_EVERY) === 0
    const record = createWarningRow(created_at, index, {
      workspace_id: workspaceId,
      ...(isAppealed && { id: instance.ports.newId() }),
      action,
      actor_kind: 'account',
      actor_id: moderator,
      reason,
      revoked_at: isRevoked ? created_at : null,
    })
    await countRecordChange(tx, null, record)
    if (isAppealed) {
      // Only these are read: all others are in the counts.
      await tx.run(insertRecord, record)
      const times = pick(`t${index}`, APPEALED_TWICE_EVERY) === 0 ? 2 : 1
      for (let appeal = 0; appeal < times; appeal++) {
        await countAppealedBan(tx, workspaceId, record.id)
        await addWait(tx, 'appeal', index + appeal, created_at)
      }
      sizes['appealed bans'] += 1
      sizes.appeals += times
    }
    const counted = [
      names[action],
      ...(isRevoked ? (['lifted'] as const) : []),
      ...(isAppealed ? (['appealed'] as const) : []),
    ]
    addRecord(naive, { day: new Date(created_at).toISOString().slice(0, 10), moderator, reason }, counted)
  }

  for (let start = 0; start < records; start += PER_TRANSACTION)
    await instance.db.write(async (tx) => {
      for (let index = start; index < start + PER_TRANSACTION; index++) await addOne(tx, index)
    })
  for (let start = 0; start < sizes.reports; start += PER_TRANSACTION)
    await instance.db.write(async (tx) => {
      for (let index = start; index < Math.min(sizes.reports, start + PER_TRANSACTION); index++)
        await addWait(tx, 'report', index, toTime(index))
    })
  return { firstDay, naive, sizes }
}
