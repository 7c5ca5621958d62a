import type { Permission, RoleLimits } from '@reeve/core'
import type { Instance } from '../support/instance.ts'
import type { EnginePair } from './engine-pair.ts'
import type { Caller, WorkspaceState } from './known-state.ts'

const DAY_MS = 86_400_000

/** Permission sets of keys and members. */
const permissionSets: readonly (readonly Permission[])[] = [
  [],
  ['moderation.view', 'departments.view', 'events.view'],
  ['moderation.view', 'moderation.note', 'moderation.warn', 'moderation.ban', 'workspace.view'],
  ['departments.view', 'departments.manage', 'events.view', 'events.manage', 'endpoint_controls.view'],
  ['roles.view', 'roles.manage', 'members.view', 'members.manage', 'api_keys.manage', 'moderation.view'],
  ['workspace.view', 'workspace.create', 'workspace.rename', 'workspace.archive', 'usage.view', 'audit.view'],
]

/** What members may do at most; keys have no limits. */
const MEMBER_LIMITS: Partial<RoleLimits> = { permanentBansNeedApproval: true, bansPerHour: 20 }

/** How many bans wait for approval at first: the random members who need one create few. */
const PENDING_APPROVALS = 3

/** Sends a request of a member to a workspace. @returns the body of the response @throws Error if it is not 200 */
async function send(
  instance: Instance,
  { workspaceId, session }: { readonly workspaceId: string; readonly session: string },
  [method, path]: readonly [method: string, path: string],
  fields: object,
) {
  const response = await instance.request(method, path, { session, body: { workspaceId, ...fields } })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** Bans by a member that another person has to approve. @returns the ids of the requests for approval */
async function requestApprovals(instance: Instance, workspaceId: string, session: string): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < PENDING_APPROVALS; index++) {
    const ban = { action: 'perm_ban', userId: String(700_000 + index), reason: 'Exploiting' }
    ids.push((await send(instance, { workspaceId, session }, ['POST', '/api/moderation'], ban)).approval.id)
  }
  return ids
}

/** An open appeal that files can be sent with: few of the random appeals are open. @returns the code of its ban */
async function openAppeal(instance: Instance, workspaceId: string, session: string): Promise<string> {
  const member = { workspaceId, session }
  await send(instance, member, ['PATCH', '/portal/api/appeals/settings'], { allowFiles: true })
  const ban = { action: 'ban', userId: '700100', reason: 'Exploiting' }
  const code: string = (await send(instance, member, ['POST', '/api/moderation'], ban)).record.appealCode
  await send(instance, member, ['POST', '/api/appeals'], { code, message: 'Sorry' })
  return code
}

/** Creates a workspace with a key and a member for each permission set. */
async function createWorkspaceState(pair: EnginePair, groupName: string): Promise<WorkspaceState> {
  const created = await pair.runOnBoth(async (instance) => {
    const { id, key, ownerSession } = await instance.workspace(groupName)
    const appealCode = await openAppeal(instance, id, ownerSession)
    const limitedCallers: Caller[] = []
    const [roles, accounts]: [string[], string[]] = [[], []]
    let approvals: string[] = []
    for (const [index, permissionSet] of permissionSets.entries()) {
      limitedCallers.push({ key: await instance.key(id, permissionSet, { rank: 10 * index }) })
      const member = await instance.member(id, permissionSet, 10 * index, MEMBER_LIMITS)
      limitedCallers.push({ session: member.session })
      if (permissionSet.includes('moderation.ban'))
        approvals = await requestApprovals(instance, id, member.session)
      roles.push(member.roleId)
      accounts.push(member.accountId)
    }
    const expiresAt = instance.clock.now() + DAY_MS
    limitedCallers.push({ key: await instance.key(id, permissionSets[1], { expiresAt }) })
    limitedCallers.push({
      key: await instance.key(id, permissionSets[1], { allowedAddresses: ['10.0.0.0/8'] }),
    })
    return { id, key, ownerSession, limitedCallers, roles, accounts, approvals, appealCode }
  })
  return {
    id: created.id,
    fullAccessCallers: [{ key: created.key }, { session: created.ownerSession }],
    limitedCallers: created.limitedCallers,
    ids: new Map([
      ['role', created.roles],
      ['member', created.accounts],
      ['approval', created.approvals],
      ['openAppealCode', [created.appealCode]],
    ]),
  }
}

/** Creates two unrelated workspaces, an operator who is a member of neither, and invalid credentials. */
export async function createFixture(pair: EnginePair, number: number) {
  const workspaces = [
    await createWorkspaceState(pair, `Night Shift ${number}`),
    await createWorkspaceState(pair, `night shift ${number} b`),
  ]
  const operator = await pair.runOnBoth(async (instance) => ({
    session: await instance.session(await instance.account(`Operator ${number}`, true)),
  }))
  const invalidCallers: Caller[] = [{}, { key: 'rve_junk' }, { key: 'x' }, { session: 'x'.repeat(43) }]
  return { workspaces, operator, invalidCallers }
}

export type Fixture = Awaited<ReturnType<typeof createFixture>>
