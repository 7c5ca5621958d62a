import { Table, Text } from '@mantine/core'
import { number } from '../../../format/number.ts'
import { groupings, groupWords, kindWords } from './group-words.ts'
import classes from './usage.module.css'
import { callsOf, type Grouping, type Sum } from './usage-data.ts'

interface Props {
  readonly by: Grouping
  readonly sums: readonly Sum[]
  /** What it is of, for those who hear it. */
  readonly label: string
}

/** The calls in numbers; days without any are left out. */
export const UsageTable = ({ by, sums, label }: Props) => (
  <Table aria-label={label} className={classes.table} verticalSpacing={6}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{groupings[by].column}</Table.Th>
        <Table.Th>Calls</Table.Th>
        <Table.Th>Refused</Table.Th>
        <Table.Th>Failed</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {sums.map((sum) => (
        <Table.Tr key={sum.group}>
          <Table.Th scope="row">
            <bdi>{groupWords(by, sum)}</bdi>
            {kindWords(sum) === null ? null : (
              <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
                {kindWords(sum)}
              </Text>
            )}
          </Table.Th>
          <Table.Td>{number(callsOf(sum))}</Table.Td>
          <Table.Td>{number(sum.refused)}</Table.Td>
          <Table.Td>{number(sum.failed)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
