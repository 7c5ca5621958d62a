import type { GeneratorContext } from '../known-state.ts'
import type { RequestTemplate } from '../operation.ts'
import { pickName, pickText } from '../texts.ts'
import { createRequestBuilder } from './request-builder.ts'

export function generateDepartmentRead(context: GeneratorContext): RequestTemplate {
  const { chance, pickFields } = context.random
  const { read, pickId, pickPageFields, pickFlag } = createRequestBuilder(context)
  if (chance(0.2)) return read('/portal/api/departments')
  if (chance(0.2)) return read('/departments', { id: pickId('department') })
  return read('/departments', { ...pickFields({ deleted: [0.25, pickFlag] }), ...pickPageFields() })
}

export function generateDepartmentWrite(context: GeneratorContext): RequestTemplate {
  const { random } = context
  const { chance, pick, intBelow, pickFields } = random
  const { write, read, pickId, pickColor } = createRequestBuilder(context)
  const pickDepartmentFields = () =>
    pickFields({
      name: [0.6, () => pickName(random)],
      color: [0.4, pickColor],
      description: [0.4, () => (chance(0.2) ? null : pickText(random))],
    })
  const pickMembers = () => Array.from({ length: intBelow(4) }, () => pickId('member'))
  return random.pickWeighted<() => RequestTemplate>([
    [4, () => write('POST', '/departments', { ...pickDepartmentFields(), name: pickName(random) })],
    [3, () => write('PATCH', '/departments', { id: pickId('department'), ...pickDepartmentFields() })],
    [
      1,
      () =>
        write('POST', '/departments', {
          id: pickId('department'),
          action: 'update',
          ...pickDepartmentFields(),
        }),
    ],
    [2, () => write(pick(['POST', 'PATCH']), '/departments', { id: pickId('department'), action: 'delete' })],
    [
      2,
      () => write(pick(['POST', 'PATCH']), '/departments', { id: pickId('department'), action: 'restore' }),
    ],
    [2, () => ({ ...read('/departments', { id: pickId('department') }), method: 'DELETE' })],
    [
      1.5,
      () => {
        const accountIds = pickMembers()
        const leadId = chance(0.5) ? { leadId: pick([...accountIds, pickId('member'), null]) } : {}
        const body = { id: pickId('department'), accountIds: accountIds.join(','), ...leadId }
        return write('POST', '/portal/api/departments/members', body)
      },
    ],
    [
      1,
      () => {
        const departmentIds = context.workspace.ids.get('department') ?? []
        const ids = chance(0.5)
          ? departmentIds.toSorted(() => (chance(0.5) ? 1 : -1))
          : [pickId('department')]
        return write('POST', '/portal/api/departments/order', { ids: ids.join(',') })
      },
    ],
  ])()
}
