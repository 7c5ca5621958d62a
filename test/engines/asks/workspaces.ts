import { endpoints } from '@reeve/core'
import type { Ask } from '../operation.ts'
import { nameFrom } from '../texts.ts'
import type { Asking } from '../world.ts'
import { sharedBy } from './shared.ts'

export function workspaceRead(asking: Asking): Ask {
  const { often, pick } = asking.dice
  const { read, id, page, under } = sharedBy(asking)
  const of = (query: Record<string, string>): Ask => ({ method: 'GET', path: under('/workspaces'), query })
  const texts = Object.fromEntries(Object.entries(page()).map(([name, value]) => [name, String(value)]))
  return pick([
    () => of(texts),
    () => of({ id: id('workspace') }),
    () => of({ ...texts, archives: 'true', ...(often(0.8) ? { id: id('workspace') } : {}) }),
    () => read('/portal/api/content'),
    () => read('/portal/api/archive', { id: id('archive') }),
    () => read('/portal/api/overview'),
  ])()
}

export function workspaceWrite(asking: Asking): Ask {
  const { dice, world, place } = asking
  const { often, pick } = dice
  const { under, id } = sharedBy(asking)
  const act = (body: object): Ask => ({ method: 'POST', path: under('/workspaces'), body })
  const groupName = nameFrom(dice)
  const either = (one: object, other: object) => ({ id: id('workspace'), ...(often(0.5) ? one : other) })
  // Back into use sooner than out of it: an archived workspace refuses what the others would show.
  const isArchived = world.isArchived(place.id)
  return dice.weighed<() => Ask>([
    [1, () => act({ groupName, ...(often(0.5) ? { action: 'create' } : {}) })],
    [2, () => act({ groupName, ...either({ action: 'rename' }, {}) })],
    [isArchived ? 0.5 : 3, () => act(either({ action: 'archive' }, { archive: true }))],
    [isArchived ? 6 : 0.7, () => act(either({ action: 'restore' }, { archive: 'false' }))],
    [isArchived ? 6 : 0.7, () => act({ fromArchive: id('archive'), id: id('workspace') })],
    [1.5, () => act({ fromArchive: id('archive'), groupName })],
    [0.3, () => act({ action: pick(['create', 'archive']), id: id('workspace'), groupName })],
  ])()
}

/** The switches of endpoints, and the quota. */
export function control(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick } = dice
  const { write, read, under, workspaceId } = sharedBy(asking)
  const change = () =>
    write('POST', '/portal/api/endpoint-controls', {
      endpoint: pick([...endpoints, 'nothing']),
      mode: dice.weighed([
        [16, 'on'],
        [1, 'read_only'],
        [1, 'off'],
        [0.2, 'loud'],
      ]),
      ...(often(0.4) ? { message: pick([nameFrom(dice), null]) } : {}),
    })
  const quota = () => ({
    method: 'POST',
    path: '/admin/api/quotas',
    body: { workspaceId, monthlyQuota: pick([null, null, null, null, null, '100000', '3', '-1']) },
  })
  return dice.weighed<() => Ask>([
    [3, change],
    [
      5,
      () => ({
        method: pick(['GET', 'POST']),
        path: under('/endpoint-controls'),
        ...(often(0.15) ? { query: { workspaceId } } : {}),
      }),
    ],
    [1, () => read('/portal/api/endpoint-controls')],
    [0.5, quota],
  ])()
}
