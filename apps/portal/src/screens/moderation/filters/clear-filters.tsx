import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { noRecordFilters, type RecordListFilters, type SetRecordFilters } from '../record-filters.ts'

interface Props {
  readonly filters: RecordListFilters
  readonly setFilters: SetRecordFilters
}

/** The button that removes all filters of a record list, as long as there are any. */
export const ClearFilters = ({ filters, setFilters }: Props) =>
  Object.keys(filters).length === 0 ? null : (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      onClick={() => setFilters(noRecordFilters)}
      leftSection={<IconX size={14} aria-hidden />}
    >
      Clear filters
    </Button>
  )
