import { Text } from '@mantine/core'
import { Card } from '../../components/card.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RowList } from '../../components/row-list.tsx'
import { formatFormat, type Import, listResults } from './import-data.ts'

/** The imports before the last one. */
export const EarlierImports = ({ imports }: { readonly imports: readonly Import[] }) => (
  <Card title="Earlier imports">
    <RowList label="Earlier imports" rows={imports} rowKey={({ id }) => id}>
      {(row) => (
        <div>
          <Text fw={500}>
            <bdi>{row.fileName}</bdi>
            {row.dryRun === 'true' ? ' (check)' : ''}
          </Text>
          <Text size="sm" c="dimmed">
            {formatFormat(row.format)}, <FormattedTime value={row.createdAt} />: {listResults(row).join(', ')}
          </Text>
        </div>
      )}
    </RowList>
  </Card>
)
