import { Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage } from '../../../api/error.ts'
import { LoadingRows } from '../../../components/empty-error-loading.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { SEARCH_DEBOUNCE_MS } from '../../../components/use-filters.ts'
import { UserBadge } from '../../../components/user-badge.tsx'
import { FormAlert } from '../../../forms/form-alert.tsx'
import classes from './assign-form.module.css'
import { assignCase, assigneesQuery } from './queries.ts'

interface Props {
  readonly workspaceId: string
  readonly recordId: string
  readonly close: () => void
}

/** Chooses the member who is to work on a case. */
export function AssignForm({ workspaceId, recordId, close }: Props) {
  const [text, setText] = useState('')
  const [alert, setAlert] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [q] = useDebouncedValue(text.trim(), SEARCH_DEBOUNCE_MS)
  const { data: members, error } = useQuery(assigneesQuery(workspaceId, q))
  const choose = async (accountId: string, username: string) => {
    setIsBusy(true)
    setAlert('')
    try {
      await assignCase(workspaceId, recordId, accountId)
      notifySuccess(`Assigned the case to ${username}.`)
      close()
    } catch (failure) {
      setAlert(getErrorMessage(failure))
      setIsBusy(false)
    }
  }
  return (
    <Stack gap="sm">
      <TextInput
        label="Member"
        description="Members who can view cases."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      {members ? (
        <ul className={classes.members} aria-label="Members">
          {members.map(({ accountId, username }) => (
            <li key={accountId}>
              <button
                type="button"
                className={classes.member}
                disabled={isBusy}
                onClick={() => void choose(accountId, username)}
              >
                <UserBadge name={username} />
              </button>
            </li>
          ))}
        </ul>
      ) : error ? null : (
        <LoadingRows rows={3} />
      )}
      {members?.length === 0 ? (
        <Text size="sm" c="dimmed">
          No member with this name can view cases.
        </Text>
      ) : null}
      <FormAlert>{alert || (error ? getErrorMessage(error) : '')}</FormAlert>
    </Stack>
  )
}
