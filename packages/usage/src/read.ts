import {
  type Actor,
  AppError,
  DAY_MS,
  HOUR_MS,
  invalidRequest,
  type Ports,
  resolveStorageQuota,
  wire,
} from '@reeve/core'
import { type Queries, statement } from '@reeve/db'
import { findActorNames, type Meter, readStorage, type StorageGuard, sumUsage } from '@reeve/metering'
import type { UsageQueryInput } from './model.ts'

const DEFAULT_RANGE_MS = 30 * DAY_MS

/** The monthly quota of a workspace. */
const workspaceQuota = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace').select('monthly_quota').where('id', '=', p.workspaceId),
)

/**
 * The usage of a workspace, including requests that are not stored yet.
 * @throws AppError `invalid_request` if `from` is after `to`; `not_found`
 */
export async function readUsage(
  db: Queries,
  meter: Meter,
  ports: Ports,
  actor: Actor,
  input: UsageQueryInput,
) {
  const { workspaceId } = actor
  const { by = 'day', to = ports.now() + 1 } = input
  const from = input.from ?? Math.max(0, to - DEFAULT_RANGE_MS)
  if (from > to) throw invalidRequest({ field: 'to', message: 'must not be before from' })
  await meter.flush()
  const workspace = await db.first(workspaceQuota, { workspaceId })
  if (!workspace) throw new AppError('not_found')
  const totals = await sumUsage(db, { workspaceId, from: from - (from % HOUR_MS), to, by })
  const ids = by === 'actor' ? totals.map((entry) => String(entry.group)) : []
  const names = await findActorNames(db, workspaceId, ids)
  return {
    usage: totals.map(({ group, calls, refused, failed }) => ({
      group: typeof group === 'number' ? wire.time.write(group).slice(0, 10) : group,
      name: names.get(String(group))?.name ?? null,
      kind: names.get(String(group))?.kind ?? null,
      calls: String(calls),
      refused: String(refused),
      failed: String(failed),
    })),
    total: String(totals.reduce((total, entry) => total + entry.calls, 0)),
    month: {
      calls: String(await meter.countThisMonth(workspaceId)),
      quota: presentQuota(workspace.monthly_quota),
    },
  }
}

/**
 * The stored bytes of a workspace by kind, and its quota.
 * @throws AppError `not_found`
 */
export async function readStorageUsage(
  db: Queries,
  { defaultQuota }: Pick<StorageGuard, 'defaultQuota'>,
  workspaceId: string,
) {
  const usage = await readStorage(db, workspaceId)
  if (!usage) throw new AppError('not_found')
  const { records, images, evidence, archives, responses } = usage.bytes
  return {
    bytes: String(usage.total),
    limit: presentQuota(resolveStorageQuota(usage.ownQuota, defaultQuota)),
    records: String(records),
    images: String(images),
    evidence: String(evidence),
    archives: String(archives),
    responses: String(responses),
  }
}

/** A quota as the API returns it. */
export const presentQuota = (quota: number | null): string | null => (quota === null ? null : String(quota))
