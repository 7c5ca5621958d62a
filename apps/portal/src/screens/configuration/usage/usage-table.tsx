import { Table, Text } from '@mantine/core'
import { formatNumber } from '../../../format/number.ts'
import { formatActorKind, formatGroup, groupingLabels } from './group-labels.ts'
import classes from './usage.module.css'
import { countRequests, type Grouping, type UsageRow } from './usage-data.ts'

interface Props {
  readonly by: Grouping
  readonly rows: readonly UsageRow[]
  /** The accessible name of the table. */
  readonly label: string
}

/** The requests in numbers; days without requests are omitted. */
export const UsageTable = ({ by, rows, label }: Props) => (
  <div className={classes.table}>
    <Table aria-label={label} verticalSpacing="var(--reeve-table-padding)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{groupingLabels[by].column}</Table.Th>
          <Table.Th>Requests</Table.Th>
          <Table.Th>Rejected</Table.Th>
          <Table.Th>Failed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.group}>
            <Table.Th scope="row">
              <bdi>{formatGroup(by, row)}</bdi>
              {formatActorKind(row) === null ? null : (
                <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
                  {formatActorKind(row)}
                </Text>
              )}
            </Table.Th>
            <Table.Td>{formatNumber(countRequests(row))}</Table.Td>
            <Table.Td>{formatNumber(row.refused)}</Table.Td>
            <Table.Td>{formatNumber(row.failed)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
)
