import { expect, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissions } from '@reeve/core'
import { accountActions } from '@reeve/portal/account-action-labels'
import { actionGroups } from '@reeve/portal/action-labels'
import { ROOT } from '../../support/program.ts'

const actions = [...actionGroups.flatMap((group) => group.actions), ...accountActions]
const labelled = new Set(actions.map(({ action }) => action))

const ACTION = /'([a-z_]+)\.([a-z_]+)'/g
const ACTION_OF_RECORD = /auditAction: '([a-z_]+)'/g

/** The actions that the source of the packages names in full, and those of records. */
async function findActions(): Promise<ReadonlySet<string>> {
  const resources = new Set([...labelled].map((action) => action.split('.')[0]))
  const found = new Set<string>()
  for (const file of new Bun.Glob('packages/*/src/**/*.ts').scanSync(ROOT)) {
    const source = await readFile(join(ROOT, file), 'utf8')
    for (const [, resource, name] of source.matchAll(ACTION)) {
      const text = `${resource}.${name}`
      // Permissions and columns look the same.
      const isOther = permissions.includes(text as never) || name?.endsWith('_id')
      if (resources.has(resource) && !isOther) found.add(text)
    }
    for (const [, name] of source.matchAll(ACTION_OF_RECORD)) found.add(`moderation.${name}`)
  }
  return found
}

test('the portal has a name, and a filter, for every action that the audit log can contain', async () => {
  const found = await findActions()
  expect(found.size).toBeGreaterThan(50)
  expect([...found].filter((action) => !labelled.has(action))).toEqual([])
})
