import type { Actor, Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import { findNextAppeal } from '../appeals/next-appeal.ts'
import { findRecordApproval } from '../approvals/list.ts'
import { noTemplate, resolveTemplate, type TemplateColumns } from '../templates/resolve.ts'
import { acknowledge, append } from './append.ts'
import { createRecord, imposeSanction } from './create.ts'
import { edit, extend } from './edit.ts'
import { lift, revoke } from './lift.ts'
import { presentRecord } from './model.ts'
import type { ModerationChange, TemplateChange } from './parse-change.ts'
import { redact } from './redact.ts'

/**
 * Applies a change in the caller's transaction.
 * @returns the record that it created or changed, and the request for approval of a ban that needs one
 * @throws AppError as the function of its action
 */
export async function applyChange(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange | TemplateChange,
) {
  const resolved =
    'templateId' in change ? await resolveTemplate(tx, ports, actor, change) : { change, columns: noTemplate }
  const row = await dispatch(tx, ports, actor, resolved.change, resolved.columns)
  const next = row.version === 1 ? { next_appeal: null } : await findNextAppeal(tx, row)
  const record = presentRecord({ ...row, ...next }, ports.now())
  const isTemporary =
    resolved.change.action === 'ban' && row.duration_seconds !== (resolved.change.durationSeconds ?? null)
  const approval = isTemporary ? await findRecordApproval(tx, ports, actor, row.id) : null
  return { record, ...(approval && { approval }) }
}

function dispatch(
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
  template: TemplateColumns,
): Promise<RecordTable> {
  switch (change.action) {
    case 'note':
    case 'warn':
    case 'kick':
      return createRecord(tx, ports, actor, change, template)
    case 'mute':
    case 'ban':
      return imposeSanction(tx, ports, actor, change, template)
    case 'unmute':
    case 'unban':
      return lift(tx, ports, actor, change)
    case 'edit':
      return edit(tx, ports, actor, change)
    case 'extend':
      return extend(tx, ports, actor, change)
    case 'acknowledge':
      return acknowledge(tx, ports, actor, change)
    case 'revoke':
      return revoke(tx, ports, actor, change)
    case 'redact':
      return redact(tx, ports, actor, change)
    default:
      return append(tx, ports, actor, change)
  }
}
