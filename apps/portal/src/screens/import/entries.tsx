import { Box, Button, Group, NativeSelect, Table, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { ErrorState } from '../../components/empty-error-loading.tsx'
import { columnFields } from './csv-columns.ts'
import classes from './entries.module.css'
import { type Import, readEntries } from './import-data.ts'

const outcomes = [
  { value: 'unreadable', label: 'Unreadable' },
  { value: 'skipped', label: 'Left out' },
  { value: 'merged', label: 'Merged' },
  { value: 'superseded', label: 'Replacing' },
  { value: 'lifted', label: 'Lifted' },
  { value: 'created', label: 'Created' },
] as const

/** `Player ID is missing`: a problem with the label of the field, as in the form, instead of its name in the API. */
const nameColumn = (message: string): string => {
  const [field = ''] = message.split(' ', 1)
  const column = columnFields.find((candidate) => candidate.field === field)
  return column ? column.label + message.slice(field.length) : message
}

/** The entries of a file by what became of them, with their lines. */
export function Entries({ current }: { readonly current: Import }) {
  const { id: workspaceId } = useWorkspace()
  const available = outcomes.filter(({ value }) => {
    const isListed = value !== 'created' || current.dryRun === 'true'
    return isListed && current[value] !== '0'
  })
  const [chosen, setChosen] = useState<string | null>(null)
  const outcome = available.find(({ value }) => value === chosen)?.value ?? available[0]?.value ?? ''
  const entries = useInfiniteQuery({
    queryKey: [workspaceId, 'imports', 'entries', current.id, outcome, current.dryRun],
    queryFn: ({ pageParam }) => readEntries(workspaceId, current.id, outcome, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: outcome !== '',
  })
  if (outcome === '') return null
  if (entries.isError && !entries.data)
    return <ErrorState error={entries.error} retry={() => void entries.refetch()} />
  const rows = entries.data?.pages.flatMap(({ issues }) => issues) ?? []
  return (
    <>
      <NativeSelect
        mt="md"
        label="Entries"
        data={available.map(({ value, label }) => ({ value, label: `${label} (${current[value]})` }))}
        value={outcome}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      <Box mt="sm" style={{ overflowX: 'auto' }}>
        <Table aria-label="Entries of the file">
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.line}>Line</Table.Th>
              <Table.Th>{outcome === 'unreadable' ? 'Problem' : 'Entry'}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ line, message }, index) => (
              // Several entries can be on one line.
              <Table.Tr key={`${line} ${index}`}>
                <Table.Td className={classes.line}>{line}</Table.Td>
                <Table.Td>
                  <bdi>{current.format === 'csv' ? nameColumn(message) : message}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {entries.hasNextPage ? (
        <Group mt="sm">
          <Button
            variant="default"
            loading={entries.isFetchingNextPage}
            onClick={() => void entries.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      ) : null}
      {outcome === 'created' && Number(current.created) > rows.length && !entries.hasNextPage ? (
        <Text size="sm" c="dimmed">
          The first {rows.length} of {current.created}.
        </Text>
      ) : null}
    </>
  )
}
