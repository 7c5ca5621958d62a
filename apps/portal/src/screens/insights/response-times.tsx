import { Box, Table, Text } from '@mantine/core'
import { formatNumber } from '../../format/number.ts'
import classes from './insights.module.css'
import type { Insights } from './insights-query.ts'
import { formatShare } from './share.ts'

const kinds: Readonly<Record<string, string>> = { report: 'Reports', appeal: 'Appeals' }

type ResponseTimes = Insights['responses'][number]

const responseRows: readonly (readonly [string, (times: ResponseTimes) => string])[] = [
  ['Number', ({ count }) => formatNumber(count)],
  ['Answered', ({ answered, count }) => formatShare(answered, Number(count))],
  ['Median', ({ medianMinutes: median }) => (median === null ? '–' : `${formatNumber(median)} min`)],
  ['Within 5 minutes', ({ withinFiveMinutes, count }) => formatShare(withinFiveMinutes, Number(count))],
  ['Within 1 hour', ({ withinHour, count }) => formatShare(withinHour, Number(count))],
  ['Within 1 day', ({ withinDay, count }) => formatShare(withinDay, Number(count))],
]

/** How quickly staff respond to reports and appeals. */
export const ResponseTable = ({ responses }: { readonly responses: Insights['responses'] }) => (
  <>
    <Box style={{ overflowX: 'auto' }}>
      <Table aria-label="Response times" verticalSpacing={4} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.name}>First response</Table.Th>
            {responses.map(({ kind }) => (
              <Table.Th key={kind}>{kinds[kind] ?? kind}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {responseRows.map(([label, format]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400} className={classes.name}>
                {label}
              </Table.Th>
              {responses.map((times) => (
                <Table.Td key={times.kind}>{format(times)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
    <Text size="sm" c="dimmed" my="sm">
      A report is a note of an API key. It is answered when a person changes the note, or creates a case about
      its player.
    </Text>
  </>
)
