import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../api/me.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../components/empty-error-loading.tsx'
import { RowList } from '../../components/row-list.tsx'
import { bidiIsolate } from '../../format/player-name.ts'
import { type TargetMeaning, targetMeaningsQuery } from './target-meanings.ts'

interface Props {
  readonly text: string
  readonly choose: (meaning: TargetMeaning) => void
  /** Removes the text from the filters. */
  readonly remove: () => void
}

/** Takes the place of the log while a text in its filter can mean several things, or nothing. */
export function TargetChoice({ text, choose, remove }: Props) {
  const { id: workspaceId, permissions } = useWorkspace()
  const { data, error, refetch } = useQuery(targetMeaningsQuery(workspaceId, permissions, text))
  const name = `“${bidiIsolate(text)}”`
  if (!data) {
    return error ? <ErrorState error={error} retry={() => void refetch()} /> : <LoadingRows />
  }
  if (data.length === 0) {
    return (
      <EmptyState
        icon={IconSearch}
        title={`No case, player or person matches ${name}`}
        action={
          <Button variant="default" onClick={remove}>
            Remove {name}
          </Button>
        }
      >
        Check the spelling, or enter a case number, a player’s ID or the ID of a case.
      </EmptyState>
    )
  }
  return (
    <Stack gap="sm" component="section" aria-label={`Meanings of ${name}`}>
      <Title order={2} size="h4">
        What do you mean by {name}?
      </Title>
      <RowList label={`Meanings of ${name}`} rows={data} rowKey={({ kind, label }) => `${kind}:${label}`}>
        {(meaning) => (
          <Group justify="space-between" gap="sm">
            <div>
              <Text fw={600} component="bdi">
                {meaning.label}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {meaning.note}
              </Text>
            </div>
            <Button variant="default" onClick={() => choose(meaning)} aria-label={`Show ${meaning.label}`}>
              Show
            </Button>
          </Group>
        )}
      </RowList>
    </Stack>
  )
}
