import { generateApiKey, hashToken } from '@reeve/auth'
import { type Permission, permissions } from '@reeve/core'
import { statement } from '@reeve/db'
import { type Callers, getCallers, mistypeKey } from '../support/callers.ts'
import type { Instance, RequestOptions } from '../support/instance.ts'
import type { AccessCaller, Identity } from './access-verdict.ts'

const ALL: ReadonlySet<Permission> = new Set(permissions)
const NO_PERMISSIONS: ReadonlySet<Permission> = new Set()

const nobody = (reason: string): Identity => ({ kind: 'nobody', outcome: `401 unauthorized ${reason}` })

const member = (
  granted: ReadonlySet<Permission> | null,
  options: Partial<Record<'isOperator' | 'isCrossSite' | 'isStale', boolean>> = {},
): Identity => ({
  kind: 'session',
  permissions: granted,
  isOperator: false,
  isCrossSite: false,
  isStale: false,
  ...options,
})

const resetVerification = statement<{ hash: string }>()((sql, p) =>
  sql.updateTable('session').set({ verified_at: 0 }).where('token_hash', '=', p.hash),
)

/** Creates a session whose factor was verified too long ago for sensitive requests. @returns its token */
async function createStaleSession(instance: Instance, accountId: string): Promise<string> {
  const token = await instance.session(accountId)
  await instance.db.write((tx) => tx.run(resetVerification, { hash: hashToken(token) }))
  return token
}

const bearer = (authorization: string): RequestOptions => ({ headers: { authorization } })

/** Headers with which a browser says that another site sent a request. */
const CROSS_SITE_HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'from another site': { 'sec-fetch-site': 'cross-site' },
  'from a same-site origin': { 'sec-fetch-site': 'same-site' },
  'from another origin': { origin: 'https://elsewhere.example' },
  'from the origin null': { origin: 'null' },
}

/** Creates every kind of caller. Those with a single permission use workspaces of their own, which have at most 50 keys. */
export async function createAccessCallers(instance: Instance): Promise<AccessCaller[]> {
  const workspace = await instance.workspace()
  const callers = await getCallers(instance, workspace.id)
  const atWorkspace = (named: Record<string, Omit<AccessCaller, 'name' | 'workspaceId'>>): AccessCaller[] =>
    Object.entries(named).map(([name, caller]) => ({ name, workspaceId: workspace.id, ...caller }))
  return [
    ...atWorkspace(await listInvalidCallers(instance, callers)),
    ...atWorkspace(await listMembers(instance, callers, workspace)),
    ...(await createSinglePermissionCallers(instance)),
  ]
}

async function listInvalidCallers(instance: Instance, callers: Callers) {
  const { fullKey, member: session } = callers
  const invalid = (as: RequestOptions, reason: string) => ({ as, identity: nobody(reason) })
  return {
    nobody: invalid({}, 'missing_credentials'),
    'a malformed key': invalid({ key: 'rve_junk' }, 'invalid_key'),
    'a truncated key': invalid({ key: fullKey.slice(0, -1) }, 'invalid_key'),
    'a mistyped key': invalid({ key: mistypeKey(fullKey) }, 'invalid_key'),
    'an unknown key': invalid({ key: generateApiKey(instance.ports) }, 'invalid_key'),
    'an expired key': invalid({ key: callers.expiredKey }, 'key_expired'),
    'a revoked key': invalid({ key: callers.revokedKey }, 'key_revoked'),
    'a key from a wrong IP address': {
      as: { key: callers.wrongIp },
      identity: { kind: 'nobody', outcome: '403 forbidden address_not_allowed' } as const,
    },
    'a malformed session': invalid({ session: 'junk' }, 'invalid_session'),
    'an expired session': invalid({ session: callers.expiredSession }, 'session_expired'),
    'the ended session of a disabled account': invalid(
      { session: await createDisabledAccount(instance, callers) },
      'invalid_session',
    ),
    'another scheme and a session': invalid({ session, ...bearer('Basic cmVldmU6cmVldmU=') }, 'invalid_key'),
    'an empty bearer token and a session': invalid({ session, ...bearer('Bearer') }, 'invalid_key'),
    'a junk key and a session': invalid({ session, key: 'rve_junk' }, 'invalid_key'),
    'a revoked key and a session': invalid({ session, key: callers.revokedKey }, 'key_revoked'),
  }
}

async function createDisabledAccount(instance: Instance, { operatorSession }: Callers): Promise<string> {
  const id = await instance.account()
  const session = await instance.session(id)
  const { status, text } = await instance.request('PATCH', '/admin/api/accounts', {
    session: operatorSession,
    body: { id, disabled: 'true' },
  })
  if (status !== 200) throw new Error(`the account was not disabled: ${text}`)
  return session
}

async function listMembers(
  instance: Instance,
  callers: Callers,
  workspace: Awaited<ReturnType<Instance['workspace']>>,
) {
  const { fullKey, foreignKey, foreignSession, operatorSession } = callers
  const key = (granted: ReadonlySet<Permission>): Identity => ({
    kind: 'key',
    workspaceId: workspace.id,
    permissions: granted,
  })
  const foreign: Identity = { kind: 'key', workspaceId: 'another', permissions: ALL }
  const operator = member(null, { isOperator: true })
  const crossSite = Object.fromEntries(
    Object.entries(CROSS_SITE_HEADERS).flatMap(([description, headers]) => [
      [
        `the owner ${description}`,
        { as: { session: workspace.ownerSession, headers }, identity: member(ALL, { isCrossSite: true }) },
      ],
      [
        `an operator ${description}`,
        {
          as: { session: operatorSession, headers },
          identity: member(null, { isOperator: true, isCrossSite: true }),
        },
      ],
    ]),
  )
  return {
    'a key with every permission': { as: { key: fullKey }, identity: key(ALL) },
    'a key without permissions': {
      as: { key: await instance.key(workspace.id, []) },
      identity: key(NO_PERMISSIONS),
    },
    'a key of another workspace': { as: { key: foreignKey }, identity: foreign },
    'a key and a session': { as: { key: fullKey, session: callers.member }, identity: key(ALL) },
    'a key of another workspace and the session of the owner': {
      as: { key: foreignKey, session: workspace.ownerSession },
      identity: foreign,
    },
    'a key without permissions and the session of an operator': {
      as: { key: await instance.key(workspace.id, []), session: operatorSession },
      identity: key(NO_PERMISSIONS),
    },
    'the owner': { as: { session: workspace.ownerSession }, identity: member(ALL) },
    'a member with every permission': { as: { session: callers.member }, identity: member(ALL) },
    'a member without permissions': {
      as: { session: (await instance.member(workspace.id, [])).session },
      identity: member(NO_PERMISSIONS),
    },
    'the owner of another workspace': { as: { session: foreignSession }, identity: member(null) },
    'the owner, verified long ago': {
      as: { session: await createStaleSession(instance, workspace.ownerId) },
      identity: member(ALL, { isStale: true }),
    },
    'an operator, verified long ago': {
      as: { session: await createStaleSession(instance, await instance.account(undefined, true)) },
      identity: member(null, { isOperator: true, isStale: true }),
    },
    'an operator': { as: { session: operatorSession }, identity: operator },
    ...crossSite,
  }
}

/** For each permission: a key and a member with only that, and a key and a member with every other. */
async function createSinglePermissionCallers(instance: Instance): Promise<AccessCaller[]> {
  const callers: AccessCaller[] = []
  for (const [description, select] of [
    ['only', (permission: Permission) => permissions.filter((one) => one === permission)],
    ['everything but', (permission: Permission) => permissions.filter((one) => one !== permission)],
  ] as const) {
    const { id: workspaceId } = await instance.workspace()
    for (const permission of permissions) {
      const granted = select(permission)
      const set = new Set(granted)
      const { session } = await instance.member(workspaceId, granted)
      const name = `with ${description} ${permission}`
      callers.push(
        {
          name: `a key ${name}`,
          as: { key: await instance.key(workspaceId, granted) },
          workspaceId,
          identity: { kind: 'key', workspaceId, permissions: set },
        },
        { name: `a member ${name}`, as: { session }, workspaceId, identity: member(set) },
      )
    }
  }
  return callers
}
