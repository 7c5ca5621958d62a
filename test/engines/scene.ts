import type { Permission } from '@reeve/core'
import type { Twins } from './twins.ts'
import type { Caller, Place } from './world.ts'

const DAY_MS = 86_400_000

/** What keys and members of a workspace may do: little, some of it, and nothing. */
const sets: readonly (readonly Permission[])[] = [
  [],
  ['moderation.view', 'departments.view', 'events.view'],
  ['moderation.view', 'moderation.note', 'moderation.warn', 'moderation.ban', 'workspace.view'],
  ['departments.view', 'departments.manage', 'events.view', 'events.manage', 'endpoint_controls.view'],
  ['roles.view', 'roles.manage', 'members.view', 'members.manage', 'api_keys.manage', 'moderation.view'],
  ['workspace.view', 'workspace.create', 'workspace.rename', 'workspace.archive', 'usage.view', 'audit.view'],
]

/** Makes a workspace with keys and members of several kinds. */
async function newPlace(twins: Twins, groupName: string): Promise<Place> {
  const made = await twins.both(async (instance) => {
    const { id, key, ownerSession } = await instance.workspace(groupName)
    const others: Caller[] = []
    const [roles, accounts]: [string[], string[]] = [[], []]
    for (const [index, set] of sets.entries()) {
      others.push({ key: await instance.key(id, set, { rank: 10 * index }) })
      const member = await instance.member(id, set, 10 * index)
      others.push({ session: member.session })
      roles.push(member.roleId)
      accounts.push(member.accountId)
    }
    const expiresAt = instance.clock.now() + DAY_MS
    others.push({ key: await instance.key(id, sets[1], { expiresAt }) })
    others.push({ key: await instance.key(id, sets[1], { allowedAddresses: ['10.0.0.0/8'] }) })
    return { id, key, ownerSession, others, roles, accounts }
  })
  return {
    id: made.id,
    entitled: [{ key: made.key }, { session: made.ownerSession }],
    others: made.others,
    ids: new Map([
      ['role', made.roles],
      ['member', made.accounts],
    ]),
  }
}

/** Two workspaces that are nothing to each other, and whoever belongs to neither. */
export async function newScene(twins: Twins, number: number) {
  const places = [
    await newPlace(twins, `Night Shift ${number}`),
    await newPlace(twins, `night shift ${number} b`),
  ]
  const operator = await twins.both(async (instance) => ({
    session: await instance.session(await instance.account(`Operator ${number}`, true)),
  }))
  const strangers: Caller[] = [{}, { key: 'rve_junk' }, { key: 'x' }, { session: 'x'.repeat(43) }]
  return { places, operator, strangers }
}

export type Scene = Awaited<ReturnType<typeof newScene>>
