import { Anchor, Table, Text } from '@mantine/core'
import { isRecordAction, isSanctionKind } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../../api/me.ts'
import { formatPlayerName } from '../../format/player-name.ts'
import { useNow } from '../../format/use-now.ts'
import { expiresSooner, formatEnd } from '../moderation/action/action-preview.ts'
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

/** On a narrow phone, a long ID is broken rather than the words about it. */
const RESULT_WIDTH = '6.5rem'

/** What became of each target, or would. */
export function ResultTable({ label, results, isPreview = false }: Props) {
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  return (
    <Table aria-label={label} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th style={{ whiteSpace: 'nowrap' }}>Target</Table.Th>
          <Table.Th miw={RESULT_WIDTH}>Result</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {results.map((result) => {
          const { target, state, recordId, caseNumber, userId, userUsername, message } = result
          const { settled = null } = result
          const effect = describeEffect(result, now)
          return (
            <Table.Tr key={target}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {formatPlayerName({ userId: userId ?? target, userUsername })}
                {recordId === null || caseNumber === null ? null : (
                  <>
                    {' · '}
                    <Anchor
                      component={Link}
                      to={`/w/${workspaceId}/moderation/cases/${recordId}`}
                      size="sm"
                      underline="always"
                    >
                      Case {caseNumber}
                    </Anchor>
                  </>
                )}
              </Table.Td>
              <Table.Td>
                <Text size="sm" component="div">
                  {(isPreview ? previewLabels : labels)[state] ?? state}
                </Text>
                {effect === null ? null : (
                  <Text size="sm" component="div">
                    {effect}
                  </Text>
                )}
                {isShortening(result, now) ? (
                  <Text size="sm" fw={600} component="div">
                    Shortens the player’s {result.action}
                  </Text>
                ) : null}
                {message === null || message === settled ? null : (
                  <Text size="xs" c="dimmed" component="div">
                    {message}
                  </Text>
                )}
                {settled === null ? null : (
                  <Text size="xs" c="dimmed" component="div">
                    Nothing is left to do: {settled}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

/** `Ban for 7 days, replaces case 12 (permanent)`, `Mute for 1 hour: step 2 of the ladder`; null for a result that is no new case, and without a duration. */
function describeEffect(result: BatchResult, now: number): string | null {
  const { action, caseNumber, step, replacesCaseNumber = null, replacesExpiresAt = null } = result
  if (action === null || !isRecordAction(action)) return null
  const isPlannedSanction = caseNumber === null && isSanctionKind(action)
  if (step === null && !isPlannedSanction) return null
  return [
    formatMeasure({ action, durationSeconds: toSeconds(result) }),
    step === null ? '' : `: step ${step} of the ladder`,
    replacesCaseNumber === null
      ? ''
      : `, replaces case ${replacesCaseNumber} (${formatEnd({ expiresAt: replacesExpiresAt }, now)})`,
  ].join('')
}

const toSeconds = ({ durationSeconds }: BatchResult): number | null =>
  durationSeconds === null ? null : Number(durationSeconds)

/** Whether a preview replaces a ban or mute with one that ends sooner. */
const isShortening = (result: BatchResult, now: number): boolean => {
  const { replacesCaseNumber = null, replacesExpiresAt = null } = result
  return (
    replacesCaseNumber !== null && expiresSooner(toSeconds(result), { expiresAt: replacesExpiresAt }, now)
  )
}
