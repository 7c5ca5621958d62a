import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Instance, openInstance } from '../../support/instance.ts'
import { runWithLockedInstance } from '../../support/locked-instance.ts'
import { quota } from '../../support/workspace-states.ts'
import { createDepartment, listStatuses, readDepartments } from './requests.ts'

let instance: Instance
beforeAll(async () => {
  instance = await openInstance({ engine: 'PostgreSQL' })
})
afterAll(() => instance.close())

test('a workspace with a quota writes while another transaction has the lock of the instance', async () => {
  const workspace = await instance.workspace()
  await quota(instance, workspace.id, 10)
  const responses = await runWithLockedInstance(instance, async () => [
    // Its count is in memory, and is stored before the quota is checked.
    await readDepartments(instance, workspace),
    await createDepartment(instance, workspace),
  ])
  expect(listStatuses(responses)).toEqual([200, 200])
})
