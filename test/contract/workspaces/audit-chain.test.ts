import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { verifyAudit } from '@reeve/audit'
import { statement } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'

let instance: Instance

beforeEach(async () => {
  instance = await openInstance()
})
afterEach(() => instance.close())

const auditRows = statement<{ workspaceId: string }>()((sql, p) =>
  sql
    .selectFrom('audit')
    .select(['sequence', 'action'])
    .where('workspace_id', '=', p.workspaceId)
    .orderBy('sequence'),
)
const dropRow = statement<{ workspaceId: string; sequence: number }>()((sql, p) =>
  sql.deleteFrom('audit').where('workspace_id', '=', p.workspaceId).where('sequence', '=', p.sequence),
)

/** A copy of a workspace with some changes before and after the copy. */
async function createCopy() {
  const { id, key } = await instance.workspace()
  const post = (path: string, credentials: string, body: object) =>
    instance.request('POST', path, { key: credentials, body })
  for (const name of ['A', 'B', 'C']) await post('/api/departments', key, { workspaceId: id, name })
  const { archive } = (await post('/api/workspaces', key, { id, archive: true })).body
  const copy = (await post('/api/workspaces', key, { fromArchive: archive.id })).body.workspace
  const own = await instance.key(copy.id)
  for (const name of ['D', 'E', 'F']) await post('/api/departments', own, { workspaceId: copy.id, name })
  const rows = await instance.db.read.all(auditRows, { workspaceId: copy.id })
  return { workspaceId: copy.id as string, sequences: rows.map((row) => row.sequence), rows }
}

describe('the audit chain of a copy', () => {
  test('starts after the changes of the archive and is intact', async () => {
    const { sequences, rows } = await createCopy()
    const [first = 0] = sequences
    expect(first).toBeGreaterThan(4)
    expect(sequences).toEqual(sequences.map((_, index) => first + index))
    expect(rows[0]?.action).toBe('workspaces.restore')
    expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([])
  })

  for (const [description, tamperedAt, fault] of [
    ['its first row', 0, 'a row before this one is missing, or it was altered'],
    ['a row in the middle', 2, 'a row before this one is missing'],
    ['its last row', -1, 'rows at the end are missing'],
  ] as const) {
    test(`is broken without ${description}`, async () => {
      const { workspaceId, sequences } = await createCopy()
      await instance.db.write((tx) =>
        tx.run(dropRow, { workspaceId, sequence: sequences.at(tamperedAt) ?? 0 }),
      )
      expect((await verifyAudit(instance.db.read, instance.ports)).faults).toEqual([
        { workspaceId, sequence: expect.any(Number), fault },
      ])
    })
  }

  test('is broken without any row', async () => {
    const { workspaceId, sequences } = await createCopy()
    await instance.db.write(async (tx) => {
      for (const sequence of sequences) await tx.run(dropRow, { workspaceId, sequence })
    })
    const { faults } = await verifyAudit(instance.db.read, instance.ports)
    expect(faults).toEqual([
      { workspaceId, sequence: expect.any(Number), fault: 'rows at the end are missing' },
    ])
  })
})
