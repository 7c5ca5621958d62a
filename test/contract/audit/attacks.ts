import { type AuditTable, statement } from '@reeve/db'
import type { Instance } from '../../support/instance.ts'

// What somebody with write access to the database, but not to the key of the instance, can do with its audit log.

const rowsOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('audit').selectAll().where('workspace_id', '=', p.workspaceId).orderBy('sequence'),
)
const headOf = statement<{ workspaceId: string }>()((sql, p) =>
  sql.selectFrom('workspace_head').selectAll().where('workspace_id', '=', p.workspaceId),
)
const updateActor = statement<{ workspaceId: string; sequence: number; name: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ actor_name: p.name })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)
const updateHash = statement<{ workspaceId: string; sequence: number; hash: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ hash: p.hash })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)
const updateHead = statement<{ workspaceId: string; sequence: number; hash: string }>()((sql, p) =>
  sql
    .updateTable('workspace_head')
    .set({ audit_sequence: p.sequence, audit_hash: p.hash })
    .where('workspace_id', '=', p.workspaceId),
)
const blankRow = statement<{ workspaceId: string; sequence: number; hash: string }>()((sql, p) =>
  sql
    .updateTable('audit')
    .set({ changes: null, changes_hash: p.hash })
    .where('workspace_id', '=', p.workspaceId)
    .where('sequence', '=', p.sequence),
)
const deleteAfter = statement<{ workspaceId: string; sequence: number }>()((sql, p) =>
  sql.deleteFrom('audit').where('workspace_id', '=', p.workspaceId).where('sequence', '>', p.sequence),
)
const deleteHead = statement<{ workspaceId: string }>()((sql, p) =>
  sql.deleteFrom('workspace_head').where('workspace_id', '=', p.workspaceId),
)
const moveRows = statement<{ workspaceId: string; to: string }>()((sql, p) =>
  sql.updateTable('audit').set({ workspace_id: p.to }).where('workspace_id', '=', p.workspaceId),
)

const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** The hash of a row as the chain computed it before it was keyed. */
const computeUnkeyedHash = (row: AuditTable, previous: string): string =>
  sha256(
    JSON.stringify([
      row.workspace_id,
      row.sequence,
      row.id,
      row.at,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.action,
      row.target_kind,
      row.target_id,
      row.changes === null ? row.changes_hash : sha256(row.changes),
      row.address,
      row.request_id,
      previous,
    ]),
  )

/** The attacks on the audit log of an instance. */
export function createAttacker({ db }: Instance) {
  const listRows = (workspaceId: string) => db.read.all(rowsOf, { workspaceId })

  /** Computes every hash of a chain and its head again, as it can be done without the key. */
  async function recomputeWithoutKey(workspaceId: string): Promise<void> {
    const rows = await listRows(workspaceId)
    await db.write(async (tx) => {
      let hash = '0'.repeat(64)
      for (const row of rows) {
        hash = computeUnkeyedHash(row, hash)
        await tx.run(updateHash, { workspaceId, sequence: row.sequence, hash })
      }
      await tx.run(updateHead, { workspaceId, sequence: rows.at(-1)?.sequence ?? 0, hash })
    })
  }

  return {
    listRows,
    recomputeWithoutKey,

    /** Makes somebody else the author of a row. */
    renameActor: (workspaceId: string, sequence: number) =>
      db.write((tx) => tx.run(updateActor, { workspaceId, sequence, name: 'somebody else' })),

    /** Removes the changes of a row as a redaction would. */
    async blankChanges(workspaceId: string, { sequence, changes }: AuditTable): Promise<void> {
      await db.write((tx) => tx.run(blankRow, { workspaceId, sequence, hash: sha256(changes ?? '') }))
    },

    async removeChain(workspaceId: string): Promise<void> {
      await db.write(async (tx) => {
        await tx.run(deleteAfter, { workspaceId, sequence: 0 })
        await tx.run(deleteHead, { workspaceId })
      })
    },

    /** Removes the rows after one of them, and makes it the last one. */
    async cutAfter(workspaceId: string, { sequence, hash }: AuditTable): Promise<void> {
      await db.write(async (tx) => {
        await tx.run(deleteAfter, { workspaceId, sequence })
        await tx.run(updateHead, { workspaceId, sequence, hash })
      })
    },

    async swapChains(one: string, other: string): Promise<void> {
      const aside = '0198c0de-dead-7000-8000-00000000dead'
      const [oneHead, otherHead] = [
        await db.read.first(headOf, { workspaceId: one }),
        await db.read.first(headOf, { workspaceId: other }),
      ]
      if (!oneHead || !otherHead) throw new Error('a chain has no head')
      await db.write(async (tx) => {
        await tx.run(moveRows, { workspaceId: one, to: aside })
        await tx.run(moveRows, { workspaceId: other, to: one })
        await tx.run(moveRows, { workspaceId: aside, to: other })
        for (const [workspaceId, head] of [
          [one, otherHead],
          [other, oneHead],
        ] as const)
          await tx.run(updateHead, { workspaceId, sequence: head.audit_sequence, hash: head.audit_hash })
      })
    },

    /** Reads the head of a chain, to put it back when rows were added. @returns puts it back and removes the rows */
    async copyState(workspaceId: string): Promise<() => Promise<void>> {
      const head = await db.read.first(headOf, { workspaceId })
      if (!head) throw new Error('the chain has no head')
      const { audit_sequence: sequence, audit_hash: hash } = head
      return () =>
        db.write(async (tx) => {
          await tx.run(deleteAfter, { workspaceId, sequence })
          await tx.run(updateHead, { workspaceId, sequence, hash })
        })
    },
  }
}
