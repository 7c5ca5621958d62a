import { comparisons } from '@reeve/api/doctor/compared-resources'
import { compareRecords } from '@reeve/moderation'
import type { Instance } from './instance.ts'

/** What the doctor reports as changed without Reeve in a workspace: each difference with its kind and fields. */
export async function findDifferences({ db }: Instance, workspaceId: string): Promise<string[][]> {
  const found: string[][] = []
  const add = (name: string, difference: { workspaceId: string; fields: readonly string[] }) => {
    if (difference.workspaceId === workspaceId) found.push([name, ...difference.fields])
  }
  await compareRecords(db.read, { onDifference: (difference) => add('record', difference) })
  for (const { name, compare } of comparisons)
    await compare(db.read, workspaceId, (difference) => add(name, difference))
  return found
}
