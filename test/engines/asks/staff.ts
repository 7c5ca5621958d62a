import { type Permission, permissions } from '@reeve/core'
import { PASSWORD } from '../../support/instance.ts'
import type { Ask } from '../operation.ts'
import { nameFrom, searchFrom, textFrom } from '../texts.ts'
import type { Asking } from '../world.ts'
import { sharedBy } from './shared.ts'

/** A set of permissions on the wire, in either form, and now and then one that there is not. */
function permissionsFrom({ dice }: Asking): string {
  const { often, pick, below } = dice
  const set = Array.from({ length: below(6) }, (): Permission | 'moderation.bna' =>
    often(0.97) ? pick(permissions) : 'moderation.bna',
  )
  return often(0.5) ? JSON.stringify(set) : set.join(', ')
}

export function roleRead(asking: Asking): Ask {
  const { often, pick } = asking.dice
  const { read, id } = sharedBy(asking)
  return pick([
    () => read('/_workspace-permissions', often(0.4) ? { [pick(['roleId', 'id'])]: id('role') } : {}),
    () => read('/portal/api/roles', often(0.3) ? { id: id('role') } : {}),
    () => read('/portal/api/roles/holdings'),
  ])()
}

export function roleWrite(asking: Asking): Ask {
  const { dice } = asking
  const { pick, some } = dice
  const { write, read, id, colour } = sharedBy(asking)
  const rank = () => pick([1, 5, 10, 20, '50', 100, 0, 'x'])
  const fields = () =>
    some({
      name: [0.5, () => nameFrom(dice)],
      color: [0.3, colour],
      rank: [0.3, rank],
      permissions: [0.4, () => permissionsFrom(asking)],
    })
  return dice.weighed<() => Ask>([
    [
      4,
      () =>
        write('POST', '/_workspace-permissions', {
          roleId: id('role'),
          permissions: permissionsFrom(asking),
        }),
    ],
    [2, () => write('POST', '/portal/api/roles', { ...fields(), name: nameFrom(dice), rank: rank() })],
    [2, () => write('PATCH', '/portal/api/roles', { id: id('role'), ...fields() })],
    [0.7, () => ({ ...read('/portal/api/roles', { id: id('role') }), method: 'DELETE' })],
  ])()
}

export function memberRead(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick, some } = dice
  const { read, id, page, time, flag } = sharedBy(asking)
  const filters = some({ q: [0.3, () => searchFrom(dice)], roleId: [0.15, () => id('role')] })
  return pick([
    () => read('/portal/api/members', often(0.2) ? { accountId: id('member') } : { ...filters, ...page() }),
    () => read('/portal/api/invitations', page()),
    () => read('/portal/api/api-keys', { ...some({ ended: [0.5, flag] }), ...page() }),
    () => read('/portal/api/overview', some({ since: [0.5, time] })),
    () => ({ method: 'GET', path: pick(['/portal/api/me', '/portal/api/sessions']) }),
    () => ({
      method: 'GET',
      path: '/admin/api/accounts',
      query: { limit: '5', q: searchFrom(dice), ...(often(0.3) ? { operators: 'true' } : {}) },
    }),
    () => ({ method: 'GET', path: '/admin/api/workspaces', query: { limit: '7', q: searchFrom(dice) } }),
  ])()
}

export function memberWrite(asking: Asking): Ask {
  const { dice, world } = asking
  const { often, pick, below, some } = dice
  const { write, read, id, time, flag } = sharedBy(asking)
  const roleIds = () => Array.from({ length: below(3) }, () => id('role')).join(',')
  const body = { token: world.token() }
  const key = () => ({
    name: nameFrom(dice),
    permissions: permissionsFrom(asking),
    ...some({
      expiresAt: [0.2, time],
      allowedAddresses: [0.1, () => pick(['10.0.0.0/8', '127.0.0.1', '::1/64', 'x', null])],
    }),
  })
  return dice.weighed<() => Ask>([
    [1, () => write('POST', '/portal/api/members', { username: `account ${below(30)}`, roleIds: roleIds() })],
    [3, () => write('PATCH', '/portal/api/members', { accountId: id('member'), roleIds: roleIds() })],
    [0.5, () => ({ ...read('/portal/api/members', { accountId: id('member') }), method: 'DELETE' })],
    [
      1.5,
      () =>
        write('POST', '/portal/api/invitations', {
          roleIds: roleIds(),
          ...some({ note: [0.4, () => textFrom(dice)], validSeconds: [0.4, () => pick([3600, 86_400, 1])] }),
        }),
    ],
    [0.5, () => ({ ...read('/portal/api/invitations', { id: id('invitation') }), method: 'DELETE' })],
    [1, () => ({ method: 'POST', path: '/portal/api/invitation', body })],
    [1, () => ({ method: 'POST', path: '/portal/api/invitation/accept', body })],
    [1.5, () => write('POST', '/portal/api/api-keys', key())],
    [1, () => write('POST', '/portal/api/api-keys/revoke', { id: id('apiKey') })],
    [
      0.7,
      () =>
        write('POST', '/portal/api/api-keys/rotate', {
          id: id('apiKey'),
          ...some({ graceSeconds: [0.6, () => pick([0, 60, 86_400, -1])] }),
        }),
    ],
    [
      0.15,
      () => ({
        method: 'PATCH',
        path: '/admin/api/accounts',
        body: { id: id('member'), ...some({ disabled: [0.5, flag], isOperator: [0.3, flag] }) },
      }),
    ],
    // A password is slow to look at, on purpose: rarely.
    [
      0.05,
      () =>
        write('POST', '/portal/api/ownership', {
          accountId: id('member'),
          password: PASSWORD,
          roleIds: roleIds(),
        }),
    ],
    [
      0.1,
      () => ({
        method: 'POST',
        path: '/portal/api/sign-in',
        body: { username: `ACCOUNT ${below(30)}`, password: often(0.7) ? PASSWORD : 'something else' },
      }),
    ],
  ])()
}

/** What has been done, and how often. */
export function history(asking: Asking): Ask {
  const { dice } = asking
  const { pick, some } = dice
  const { read, id, page, time } = sharedBy(asking)
  const span = () => some({ from: [0.2, time], to: [0.2, time] })
  const filters = () => ({
    ...span(),
    ...some({
      actorId: [0.2, () => id(pick(['member', 'apiKey']))],
      action: [0.2, () => pick(['moderation.ban', 'departments.create', 'roles.update', 'no.such'])],
      targetId: [0.2, () => id(pick(['record', 'department', 'role', 'event']))],
    }),
  })
  const by = () => some({ by: [0.7, () => pick(['day', 'endpoint', 'actor', 'week'])] })
  return pick([
    () => read('/portal/api/audit', { ...filters(), ...page() }),
    () => read('/portal/api/audit.csv', filters()),
    () => read('/portal/api/usage', { ...span(), ...by() }),
    () => read('/portal/api/usage.csv', { ...span(), ...by() }),
  ])()
}
