import { Autocomplete } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { useMemberSearch } from '../../../components/use-member-search.ts'
import type { EventValues } from './event-values.ts'
import { labels } from './field-labels.ts'

interface Props {
  readonly form: UseFormReturnType<EventValues>
  readonly values: EventValues
}

/** The host: a member, chosen from suggestions or typed in full, or any other name for a guest. */
export function HostField({ form, values }: Props) {
  const { id: workspaceId } = useWorkspace()
  const { trainingHost, hostAccountId } = values
  const canViewMembers = useHasPermission('members.view')
  const members = useMemberSearch(workspaceId, trainingHost, canViewMembers)
  const input = form.getInputProps('trainingHost')
  const setHost = (name: string) => {
    const member = members.find(({ username }) => username === name)
    form.setFieldValue('trainingHost', name)
    form.setFieldValue('hostAccountId', member?.accountId ?? '')
  }
  return (
    <Autocomplete
      label={labels.trainingHost}
      description={getDescription(trainingHost, hostAccountId, canViewMembers)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      name="trainingHost"
      autoComplete="off"
      maxLength={100}
      data={members.map(({ username }) => username)}
      value={trainingHost}
      onChange={setHost}
      onFocus={input.onFocus}
      onBlur={input.onBlur}
      error={form.errors.hostAccountId ?? form.errors.trainingHost}
    />
  )
}

function getDescription(name: string, accountId: string, canViewMembers: boolean): string | undefined {
  if (accountId !== '') return 'A member of this workspace.'
  if (name !== '') return 'A guest: not a member of this workspace.'
  return canViewMembers ? 'Choose a member, or type the name of a guest.' : undefined
}
