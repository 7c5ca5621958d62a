import { INSTANCE_CHAIN, listChains, type ResourceDifference } from '@reeve/audit'
import type { Queries } from '@reeve/db'
import type { Progress } from '../command-line/command.ts'
import { MAX_NAMED, pluralize } from '../format.ts'
import { comparisons } from './compared-resources.ts'
import { type Finding, fault, ok } from './finding.ts'

const ADVICE =
  'They were changed without Reeve: by hand, by another program, or because the storage is damaged. The audit log in the portal ' +
  'shows what they should be. Correct them there: remove operator access, revoke API keys and remove members that are not in it, and check the members of ' +
  'changed roles. Find out who can write to the database.'

/** Compares accounts, API keys, members, roles and the other settings of workspaces with the audit log. */
export async function checkResources(read: Queries, progress: Progress): Promise<Finding> {
  const named: string[] = []
  const counts = comparisons.map(() => 0)
  let differing = 0
  const report =
    (name: string) =>
    ({ workspaceId, id, kind, fields }: ResourceDifference) => {
      differing += 1
      if (named.length >= MAX_NAMED) return
      const what =
        kind === 'changed' ? fields.join(', ') : kind === 'missing' ? 'missing' : 'not in the audit log'
      const place = workspaceId === INSTANCE_CHAIN ? '' : ` of workspace ${workspaceId}`
      named.push(`${name} ${id}${place}: ${what}`)
    }
  for (const { workspace_id: workspaceId } of await listChains(read)) {
    for (const [index, { name, compare }] of comparisons.entries())
      counts[index] = (counts[index] ?? 0) + (await compare(read, workspaceId, report(name)))
    const total = counts.reduce((sum, count) => sum + count, 0)
    progress.update(`${total} accounts, API keys, members, roles and other resources compared`)
  }
  if (differing === 0) {
    const summary = comparisons.map(({ name }, index) => pluralize(counts[index] ?? 0, name))
    return ok('resources', `All ${summary.join(', ')} match the audit log.`)
  }
  const others = differing > named.length ? `; and ${differing - named.length} more` : ''
  return fault('resources', `${named.join('; ')}${others}.`, ADVICE)
}
