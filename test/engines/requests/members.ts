import { type Permission, permissions } from '@reeve/core'
import { PASSWORD } from '../../support/instance.ts'
import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickName, pickPlayer, pickSearch, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

/** A permission set in either wire format, sometimes with an unknown permission. */
function pickPermissions({ random }: GeneratorContext): string {
  const { chance, pick, intBelow } = random
  const permissionTexts = Array.from({ length: intBelow(6) }, (): Permission | 'moderation.bna' =>
    chance(0.97) ? pick(permissions) : 'moderation.bna',
  )
  return chance(0.5) ? JSON.stringify(permissionTexts) : permissionTexts.join(', ')
}

export function generateRoleRead(context: GeneratorContext): RequestTemplate {
  const { chance, pick } = context.random
  const { read, pickId } = createRequestBuilder(context)
  return pick([
    () => read('/_workspace-permissions', chance(0.4) ? { [pick(['roleId', 'id'])]: pickId('role') } : {}),
    () => read('/portal/api/roles', chance(0.3) ? { id: pickId('role') } : {}),
    () => read('/portal/api/roles/holdings'),
  ])()
}

export function generateRoleWrite(context: GeneratorContext): RequestTemplate {
  const { random, state } = context
  const { chance, pick, pickFields } = random
  const { write, read, pickId, pickColor } = createRequestBuilder(context)
  const rank = () => pick([1, 5, 10, 20, '50', 100, 0, 'x'])
  const pickRoleFields = () =>
    pickFields({
      name: [0.5, () => pickName(random)],
      color: [0.3, pickColor],
      rank: [0.3, rank],
      permissions: [0.4, () => pickPermissions(context)],
    })
  return random.pickWeighted<() => RequestTemplate>([
    [
      4,
      () =>
        write('POST', '/_workspace-permissions', {
          roleId: pickId('role'),
          permissions: pickPermissions(context),
        }),
    ],
    [
      2,
      () => write('POST', '/portal/api/roles', { ...pickRoleFields(), name: pickName(random), rank: rank() }),
    ],
    [2, () => write('PATCH', '/portal/api/roles', { id: pickId('role'), ...pickRoleFields() })],
    [
      0.7,
      () => {
        const ids = [pickId('role'), pickId('role')].slice(chance(0.7) ? 1 : 0)
        const ranks = ids.map((id) => `${id}:${rank()}:${state.pickIfMatch(id).replaceAll('"', '')}`)
        return write('POST', '/portal/api/roles/ranks', { ranks: ranks.join(',') })
      },
    ],
    [
      0.7,
      () => {
        const roles = [pickId('role'), pickId('role')].slice(chance(0.7) ? 1 : 0).map((id) => ({
          id,
          permissions: pickPermissions(context),
          version: state.pickIfMatch(id).replaceAll('"', ''),
        }))
        return write('POST', '/portal/api/roles/permissions', { roles: JSON.stringify(roles) })
      },
    ],
    [0.7, () => ({ ...read('/portal/api/roles', { id: pickId('role') }), method: 'DELETE' })],
  ])()
}

export function generateMemberRead(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, pickFields } = random
  const { read, pickId, pickPageFields, pickFlag } = createRequestBuilder(context)
  const pickFilters = pickFields({ q: [0.3, () => pickSearch(random)], roleId: [0.15, () => pickId('role')] })
  return pick([
    () =>
      read(
        '/portal/api/members',
        chance(0.2) ? { accountId: pickId('member') } : { ...pickFilters, ...pickPageFields() },
      ),
    () => read('/portal/api/invitations', pickPageFields()),
    () => ({ method: 'GET', path: '/portal/api/invitations/received', query: { limit: '7' } }),
    () => read('/portal/api/api-keys', { ...pickFields({ ended: [0.5, pickFlag] }), ...pickPageFields() }),
    () =>
      read(
        '/portal/api/overview',
        pickFields({ timeZone: [0.5, () => pick(['Asia/Kolkata', 'America/St_Johns', 'Mars'])] }),
      ),
    () => read('/portal/api/search', { q: pickSearch(random) }),
    () => ({ method: 'GET', path: pick(['/portal/api/me', '/portal/api/sessions']) }),
    () => ({
      method: 'GET',
      path: '/admin/api/accounts',
      query: { limit: '5', q: pickSearch(random), ...(chance(0.3) ? { operators: 'true' } : {}) },
    }),
    () => ({ method: 'GET', path: '/admin/api/workspaces', query: { limit: '7', q: pickSearch(random) } }),
  ])()
}

export function generateMemberWrite(context: GeneratorContext): RequestTemplate {
  const { random, state } = context
  const { chance, pick, intBelow, pickFields } = random
  const { write, read, pickId, pickTime, pickFlag } = createRequestBuilder(context)
  const roleIds = () => Array.from({ length: intBelow(3) }, () => pickId('role')).join(',')
  const body = { token: state.token() }
  const pickKeyFields = () => ({
    name: pickName(random),
    permissions: pickPermissions(context),
    ...pickFields({
      expiresAt: [0.2, pickTime],
      allowedAddresses: [0.1, () => pick(['10.0.0.0/8', '127.0.0.1', '::1/64', 'x', null])],
    }),
  })
  return random.pickWeighted<() => RequestTemplate>([
    [
      1,
      () =>
        write('POST', '/portal/api/invitations', {
          username: `account ${intBelow(30)}`,
          roleIds: roleIds(),
        }),
    ],
    [3, () => write('PATCH', '/portal/api/members', { accountId: pickId('member'), roleIds: roleIds() })],
    [0.5, () => ({ ...read('/portal/api/members', { accountId: pickId('member') }), method: 'DELETE' })],
    [
      1.5,
      () =>
        write('POST', '/portal/api/invitations', {
          roleIds: roleIds(),
          ...pickFields({
            note: [0.4, () => pickText(random)],
            validSeconds: [0.4, () => pick([3600, 86_400, 1])],
          }),
        }),
    ],
    [0.5, () => ({ ...read('/portal/api/invitations', { id: pickId('invitation') }), method: 'DELETE' })],
    [1, () => ({ method: 'POST', path: '/portal/api/invitation', body })],
    [1, () => ({ method: 'POST', path: '/portal/api/invitation/accept', body })],
    [
      0.5,
      () => ({ method: 'POST', path: '/portal/api/invitation/accept', body: { id: pickId('invitation') } }),
    ],
    [
      0.3,
      () => ({ method: 'POST', path: '/portal/api/invitations/decline', body: { id: pickId('invitation') } }),
    ],
    [1.5, () => write('POST', '/portal/api/api-keys', pickKeyFields())],
    [1, () => write('POST', '/portal/api/api-keys/revoke', { id: pickId('apiKey') })],
    [
      0.7,
      () =>
        write('POST', '/portal/api/api-keys/rotate', {
          id: pickId('apiKey'),
          ...pickFields({ graceSeconds: [0.6, () => pick([0, 60, 86_400, -1])] }),
        }),
    ],
    [
      0.15,
      () => ({
        method: 'PATCH',
        path: '/admin/api/accounts',
        body: {
          id: pickId('member'),
          ...pickFields({ disabled: [0.5, pickFlag], isOperator: [0.3, pickFlag] }),
        },
      }),
    ],
    [
      0.05,
      () =>
        write('POST', '/portal/api/ownership', {
          accountId: pickId('member'),
          roleIds: roleIds(),
        }),
    ],
    [
      0.1,
      () => ({
        method: 'POST',
        path: '/portal/api/sign-in',
        body: { username: `ACCOUNT ${intBelow(30)}`, password: chance(0.7) ? PASSWORD : 'something else' },
      }),
    ],
  ])()
}

/** Reads of the audit log and of usage. */
export function generateHistoryRead(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { pick, pickFields } = random
  const { read, pickId, pickPageFields, pickTime } = createRequestBuilder(context)
  const pickTimeRange = () => pickFields({ from: [0.2, pickTime], to: [0.2, pickTime] })
  const pickFilters = () => ({
    ...pickTimeRange(),
    ...pickFields({
      actorId: [0.2, () => pickId(pick(['member', 'apiKey']))],
      action: [
        0.2,
        () => pick(['moderation.ban', 'moderation.*', 'departments.create', 'roles.update', 'no.such']),
      ],
      targetId: [0.2, () => pickId(pick(['record', 'department', 'role', 'event']))],
      caseNumber: [0.1, () => pick(['1', '2,3', '#7', '0'])],
      userId: [0.1, () => pickPlayer(random)],
    }),
  })
  const by = () => pickFields({ by: [0.7, () => pick(['day', 'endpoint', 'actor', 'week'])] })
  return pick([
    () => read('/portal/api/audit', { ...pickFilters(), ...pickPageFields() }),
    () => read('/portal/api/audit.csv', pickFilters()),
    () => read('/portal/api/usage', { ...pickTimeRange(), ...by() }),
    () => read('/portal/api/usage.csv', { ...pickTimeRange(), ...by() }),
  ])()
}
