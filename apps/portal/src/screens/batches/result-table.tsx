import { Anchor, Table, Text } from '@mantine/core'
import type { RecordAction } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { formatMeasure } from '../moderation/templates/format-measure.ts'
import type { BatchResult } from './batch-data.ts'

const labels: Readonly<Record<string, string>> = {
  pending: 'Not done yet',
  succeeded: 'Changed',
  unchanged: 'No change needed',
  failed: 'Left alone',
}
const previewLabels: Readonly<Record<string, string>> = { ...labels, succeeded: 'Will change' }

interface Props {
  readonly label: string
  readonly results: readonly BatchResult[]
  readonly isPreview?: boolean
}

/** What became of each target, or would. */
export function ResultTable({ label, results, isPreview = false }: Props) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Table aria-label={label} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Target</Table.Th>
          <Table.Th>Result</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {results.map(
          ({ target, state, recordId, caseNumber, userId, message, step, action, durationSeconds }) => (
            <Table.Tr key={target}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {userId ?? target}
                {recordId === null || caseNumber === null ? null : (
                  <>
                    {' · '}
                    <Anchor component={Link} to={`/w/${workspaceId}/moderation/cases/${recordId}`} size="sm">
                      Case {caseNumber}
                    </Anchor>
                  </>
                )}
              </Table.Td>
              <Table.Td>
                <Text size="sm" component="div">
                  {(isPreview ? previewLabels : labels)[state] ?? state}
                </Text>
                {step === null || action === null ? null : (
                  <Text size="sm" component="div">
                    {formatMeasure({
                      action: action as RecordAction,
                      durationSeconds: durationSeconds === null ? null : Number(durationSeconds),
                    })}
                    : step {step} of the ladder
                  </Text>
                )}
                {message === null ? null : (
                  <Text size="xs" c="dimmed" component="div">
                    {message}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ),
        )}
      </Table.Tbody>
    </Table>
  )
}
