import { isRecordAction } from '@reeve/core'
import { Link } from '@tanstack/react-router'
import { getErrorMessage } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { pluralize } from '../../../format/number.ts'
import { formatDateTime } from '../../../format/time.ts'
import { useNow } from '../../../format/use-now.ts'
import { actionInfo } from '../action-labels.ts'
import { formatMoment } from '../format-time.ts'
import { formatMeasure } from '../templates/format-measure.ts'
import classes from './template-outcome.module.css'
import type { ChosenTemplate } from './use-template.ts'

/** How many of the cases that count are listed. */
const MAX_CASES = 5

/** What the chosen template leads to: the step, the cases that count, and what the player reads. */
export function TemplateOutcome({ template }: { readonly template: ChosenTemplate }) {
  const { chosen, preview, decided, error } = template
  if (chosen === null) return null
  return (
    <section className={classes.outcome} aria-label="What the template leads to" aria-live="polite">
      {error ? <p className={classes.error}>{getErrorMessage(error)}</p> : null}
      {preview === null ? null : decided === null ? (
        <p>This template has no ladder: choose the action yourself.</p>
      ) : (
        <>
          <p>
            <strong>{formatMeasure(decided)}</strong>: step {preview.step} of {preview.stepCount} of the
            ladder “<bdi>{preview.ladderName}</bdi>”
          </p>
          <CountedCases preview={preview} />
        </>
      )}
      <p className={classes.message}>
        The player reads: <q>{chosen.publicReason}</q>
      </p>
    </section>
  )
}

function CountedCases({
  preview: { records, count },
}: {
  readonly preview: NonNullable<ChosenTemplate['preview']>
}) {
  const { id: workspaceId } = useWorkspace()
  const now = useNow()
  if (records.length === 0) return <p>No earlier case counts.</p>
  return (
    <>
      <p>{pluralize(count, 'earlier case counts', 'earlier cases count')}:</p>
      <ul>
        {records.slice(0, MAX_CASES).map(({ id, caseNumber, action, stopsCountingAt }) => (
          <li key={id}>
            <Link to="/w/$workspaceId/moderation/cases/$id" params={{ workspaceId, id }} target="_blank">
              Case {caseNumber}
            </Link>
            , {isRecordAction(action) ? actionInfo[action].noun.toLowerCase() : action},{' '}
            {stopsCountingAt === null ? (
              'counts forever'
            ) : (
              <span title={formatDateTime(stopsCountingAt)}>
                counts until {formatMoment(stopsCountingAt, now)}
              </span>
            )}
          </li>
        ))}
        {records.length > MAX_CASES ? <li>and {pluralize(Number(count) - MAX_CASES, 'more case')}</li> : null}
      </ul>
    </>
  )
}
