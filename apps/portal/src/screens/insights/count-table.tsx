import { Box, Table } from '@mantine/core'
import { formatNumber } from '../../format/number.ts'
import classes from './insights.module.css'
import type { Counts } from './insights-query.ts'
import { formatShare, sumCounts } from './share.ts'

export interface CountRow {
  readonly key: string
  readonly name: React.ReactNode
  readonly counts: Counts
}

const columns = [
  { key: 'bans', title: 'Bans' },
  { key: 'mutes', title: 'Mutes' },
  { key: 'warnings', title: 'Warnings' },
  { key: 'kicks', title: 'Kicks' },
] as const

/** Counts of cases by day, moderator or reason, with the shares of cases that were lifted and of bans that were appealed. */
export function CountTable({
  label,
  heading,
  rows,
}: {
  readonly label: string
  readonly heading: string
  readonly rows: readonly CountRow[]
}) {
  return (
    <Box style={{ overflowX: 'auto' }}>
      <Table aria-label={label} verticalSpacing={4} className={`${classes.table} ${classes.counts}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.name}>{heading}</Table.Th>
            {columns.map(({ key, title }) => (
              <Table.Th key={key}>{title}</Table.Th>
            ))}
            <Table.Th>Lifted</Table.Th>
            <Table.Th>Appealed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key: rowKey, name, counts }) => (
            <Table.Tr key={rowKey}>
              <Table.Th scope="row" fw={400} className={classes.name}>
                {name}
              </Table.Th>
              {columns.map(({ key }) => (
                <Table.Td key={key}>{formatNumber(counts[key])}</Table.Td>
              ))}
              <Table.Td>{formatShare(counts.lifted, sumCounts(counts))}</Table.Td>
              <Table.Td>{formatShare(counts.appealed, Number(counts.bans))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  )
}
