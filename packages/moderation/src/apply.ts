import type { Actor, Ports } from '@reeve/core'
import type { RecordTable, Transaction } from '@reeve/db'
import type { Action } from './actions.ts'
import { acknowledge, addEvidence, comment } from './append.ts'
import type { Change } from './change.ts'
import { edit, extend } from './edit.ts'
import { lift, revoke } from './lift.ts'
import { shownRecord } from './model.ts'
import { record, restrain } from './record.ts'
import { redact } from './redact.ts'

type Verb = (tx: Transaction, ports: Ports, actor: Actor, change: Change) => Promise<RecordTable>

const verbs: Readonly<Record<Action, Verb>> = {
  note: (tx, ports, actor, change) => record(tx, ports, actor, 'note', change),
  warn: (tx, ports, actor, change) => record(tx, ports, actor, 'warn', change),
  kick: (tx, ports, actor, change) => record(tx, ports, actor, 'kick', change),
  mute: (tx, ports, actor, change) => restrain(tx, ports, actor, 'mute', change),
  ban: (tx, ports, actor, change) => restrain(tx, ports, actor, 'ban', change),
  unmute: (tx, ports, actor, change) => lift(tx, ports, actor, 'mute', change),
  unban: (tx, ports, actor, change) => lift(tx, ports, actor, 'ban', change),
  edit,
  extend,
  comment,
  evidence: addEvidence,
  acknowledge,
  revoke,
  redact,
}

/** Carries out a change, all in one transaction. @returns the record it made or changed */
export async function applyChange(tx: Transaction, ports: Ports, actor: Actor, change: Change) {
  const row = await verbs[change.action](tx, ports, actor, change)
  return { record: shownRecord(row, ports.now()) }
}
