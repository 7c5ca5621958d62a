import type { Ask } from '../operation.ts'
import { nameFrom, textFrom } from '../texts.ts'
import type { Asking } from '../world.ts'
import { sharedBy } from './shared.ts'

export function departmentRead(asking: Asking): Ask {
  const { often, some } = asking.dice
  const { read, id, page, flag } = sharedBy(asking)
  if (often(0.2)) return read('/portal/api/departments')
  if (often(0.2)) return read('/departments', { id: id('department') })
  return read('/departments', { ...some({ deleted: [0.25, flag] }), ...page() })
}

export function departmentWrite(asking: Asking): Ask {
  const { dice } = asking
  const { often, pick, below, some } = dice
  const { write, read, id, colour } = sharedBy(asking)
  const fields = () =>
    some({
      name: [0.6, () => nameFrom(dice)],
      color: [0.4, colour],
      description: [0.4, () => (often(0.2) ? null : textFrom(dice))],
    })
  const members = () => Array.from({ length: below(4) }, () => id('member'))
  return dice.weighed<() => Ask>([
    [4, () => write('POST', '/departments', { ...fields(), name: nameFrom(dice) })],
    [3, () => write('PATCH', '/departments', { id: id('department'), ...fields() })],
    [1, () => write('POST', '/departments', { id: id('department'), action: 'update', ...fields() })],
    [2, () => write(pick(['POST', 'PATCH']), '/departments', { id: id('department'), action: 'delete' })],
    [2, () => write(pick(['POST', 'PATCH']), '/departments', { id: id('department'), action: 'restore' })],
    [2, () => ({ ...read('/departments', { id: id('department') }), method: 'DELETE' })],
    [
      1.5,
      () => {
        const accountIds = members()
        const leadId = often(0.5) ? { leadId: pick([...accountIds, id('member'), null]) } : {}
        const body = { id: id('department'), accountIds: accountIds.join(','), ...leadId }
        return write('POST', '/portal/api/departments/members', body)
      },
    ],
    [
      1,
      () => {
        const all = asking.place.ids.get('department') ?? []
        const ids = often(0.5) ? all.toSorted(() => (often(0.5) ? 1 : -1)) : [id('department')]
        return write('POST', '/portal/api/departments/order', { ids: ids.join(',') })
      },
    ],
  ])()
}
