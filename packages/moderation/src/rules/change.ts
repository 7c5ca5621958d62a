import { appendAuditEntry } from '@reeve/audit'
import { type Actor, AppError, type Ports } from '@reeve/core'
import type { LadderTable, TemplateTable, Transaction } from '@reeve/db'
import { MAX_LIVE_RULES } from './model.ts'

type Rule = TemplateTable | LadderTable

/** @throws AppError `conflict` if a workspace has as many templates, or ladders, as it may */
export function assertUnderRuleLimit(noun: string, live: readonly unknown[]): void {
  if (live.length < MAX_LIVE_RULES) return
  throw new AppError('conflict', {
    message: `A workspace can have at most ${MAX_LIVE_RULES} ${noun}s. Archive one first.`,
  })
}

/**
 * The time at which a rule is archived after an action.
 * @throws AppError `conflict` if it is archived already, or is not archived, or is archived and would be changed
 */
export function findArchivedAt(noun: string, before: Rule, action: string, now: number): number | null {
  const isArchived = before.archived_at !== null
  if (action === 'restore' ? isArchived : !isArchived) return action === 'archive' ? now : null
  throw new AppError('conflict', {
    message: isArchived
      ? `The ${noun} ${before.name} is archived. Restore it first.`
      : `The ${noun} ${before.name} is not archived.`,
  })
}

/** Appends a change to the audit log and announces it. @param present of the audit log */
export async function recordRuleChange<Row extends Rule>(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  kind: 'template' | 'ladder',
  action: string,
  before: Row | null,
  after: Row,
  present: (row: Row) => object,
): Promise<void> {
  await appendAuditEntry(tx, ports, actor, {
    action: `${kind}s.${action}`,
    target: { kind, id: after.id },
    before: before && present(before),
    after: present(after),
  })
  tx.announce({ kind, workspaceId: after.workspace_id, id: after.id })
}
