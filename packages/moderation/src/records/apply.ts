import type { Actor, Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import type { Action } from './actions.ts'
import { acknowledge, addComment, addEvidence } from './append.ts'
import { createRecord, imposeSanction } from './create.ts'
import { edit, extend } from './edit.ts'
import { lift, revoke } from './lift.ts'
import { presentRecord } from './model.ts'
import type { ModerationChange } from './parse-change.ts'
import { redact } from './redact.ts'

type ActionHandler = (
  tx: Transaction,
  ports: Ports,
  actor: Actor,
  change: ModerationChange,
) => Promise<RecordTable>

const handlers: Readonly<Record<Action, ActionHandler>> = {
  note: (tx, ports, actor, change) => createRecord(tx, ports, actor, 'note', change),
  warn: (tx, ports, actor, change) => createRecord(tx, ports, actor, 'warn', change),
  kick: (tx, ports, actor, change) => createRecord(tx, ports, actor, 'kick', change),
  mute: (tx, ports, actor, change) => imposeSanction(tx, ports, actor, 'mute', change),
  ban: (tx, ports, actor, change) => imposeSanction(tx, ports, actor, 'ban', change),
  unmute: (tx, ports, actor, change) => lift(tx, ports, actor, 'mute', change),
  unban: (tx, ports, actor, change) => lift(tx, ports, actor, 'ban', change),
  edit,
  extend,
  comment: addComment,
  evidence: addEvidence,
  acknowledge,
  revoke,
  redact,
}

/** Carries out a change, all in one transaction. @returns the record it made or changed */
export async function applyChange(tx: Transaction, ports: Ports, actor: Actor, change: ModerationChange) {
  const row = await handlers[change.action](tx, ports, actor, change)
  return { record: presentRecord(row, ports.now()) }
}
