import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { claimSecretKey } from '@reeve/api/secret-key/check-value'
import { isRekeyPending, rekeyAudit, verifyAudit } from '@reeve/audit'
import { anonymousActor } from '@reeve/core'
import type { Database } from '@reeve/db'
import { type Instance, openInstance } from '../../support/instance.ts'
import { rejectionOf } from '../../support/rejection.ts'
import { createAttacker } from './attacks.ts'
import { forgetSecretKey, readRekeyState, writeRekeyState } from './unkeyed-log.ts'

let instance: Instance
let attacker: ReturnType<typeof createAttacker>
let chains: string[]
beforeEach(async () => {
  instance = await openInstance()
  attacker = createAttacker(instance)
  const one = await instance.workspace()
  for (let index = 0; index < 5; index++) await instance.key(one.id)
  chains = ['instance', one.id, (await instance.workspace()).id]
})
afterEach(() => instance.close())

/** Makes the log one that was written before it was keyed. */
async function removeKey(): Promise<void> {
  for (const chain of chains) await attacker.recomputeWithoutKey(chain)
  await instance.db.write(forgetSecretKey)
}

const rekey = (db: Database = instance.db) => rekeyAudit(db, instance.ports, anonymousActor)
const verify = () => verifyAudit(instance.db.read, instance.ports)
const countRows = async () =>
  (await Promise.all(chains.map((chain) => attacker.listRows(chain)))).flat().length

describe('a log that was written without a key', () => {
  test('is keyed, and the instance chain says so', async () => {
    await removeKey()
    expect((await verify()).faults).toHaveLength(3)
    const rows = await countRows()
    expect(await claimSecretKey(instance.db, instance.ports)).toBe(true)
    expect(await rekey()).toEqual({ rows, faults: 0, isUnverified: false, isRotation: false })
    expect(await verify()).toMatchObject({ rows: rows + 1, faults: [] })
    expect((await attacker.listRows('instance')).at(-1)).toMatchObject({ action: 'audit.key' })
    expect(await rekey()).toBeNull()
  })

  test('is keyed completely if every attempt is interrupted after one step', async () => {
    await removeKey()
    const rows = await countRows()
    await claimSecretKey(instance.db, instance.ports)
    let attempts = 0
    for (; await isRekeyPending(instance.db.read); attempts++)
      expect((await rejectionOf(rekey(stopAfter(1)))).message).toContain('killed')
    // Each chain takes a step for its rows, and one for its head.
    expect(attempts).toBe(2 * chains.length)
    expect(await verify()).toMatchObject({ rows: rows + 1, faults: [] })
  })

  test('is keyed once by several processes that start together', async () => {
    await removeKey()
    const claims = await Promise.all([1, 2, 3].map(() => claimSecretKey(instance.db, instance.ports)))
    expect(claims).toEqual([true, true, true])
    const reports = await Promise.all([rekey(), rekey(), rekey()])
    expect(reports.filter((report) => report !== null)).toHaveLength(1)
    expect((await verify()).faults).toEqual([])
  })

  test('stays broken at the rows where it was broken before', async () => {
    await removeKey()
    const [, workspaceId = ''] = chains
    const row = (await attacker.listRows(workspaceId))[3]
    await attacker.renameActor(workspaceId, row?.sequence ?? 0)
    await claimSecretKey(instance.db, instance.ports)
    expect(await rekey()).toMatchObject({ faults: 1 })
    expect((await verify()).faults).toEqual([
      { workspaceId, sequence: row?.sequence ?? 0, fault: 'the row was altered' },
    ])
  })

  test('is not keyed from a forged state', async () => {
    await removeKey()
    await claimSecretKey(instance.db, instance.ports)
    const state = await readRekeyState(instance.db)
    await writeRekeyState(instance.db, state.replace('"faults":0', '"faults":1'))
    expect((await rejectionOf(rekey())).message).toContain(
      'The state of the audit log was changed in the database',
    )
  })
})

test('a new instance has nothing to key', async () => {
  expect(await isRekeyPending(instance.db.read)).toBe(false)
  expect(await rekey()).toBeNull()
})

/** The database of a process that is killed after some transactions. */
function stopAfter(count: number): Database {
  let remaining = count
  return {
    ...instance.db,
    async write(unit) {
      const result = await instance.db.write(unit)
      remaining -= 1
      if (remaining === 0) throw new Error('killed')
      return result
    },
  }
}
