import { Badge } from '@mantine/core'
import { FAILING_WEBHOOK_DAYS, MINUTE_MS } from '@reeve/core'
import type { ReactNode } from 'react'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { getNow } from '../../../format/clock.ts'
import type { Health, Webhook } from './webhook-data.ts'

const badges: Readonly<Record<Health, { readonly label: string; readonly color: string }>> = {
  unused: { label: 'Not used yet', color: 'gray' },
  healthy: { label: 'Healthy', color: 'green' },
  failing: { label: 'Failing', color: 'yellow' },
  paused: { label: 'Paused', color: 'gray' },
  unconfirmed: { label: 'To be confirmed', color: 'yellow' },
  disabled: { label: 'Disabled', color: 'red' },
}

/** Whether deliveries arrive. */
export const HealthBadge = ({ webhook: { health } }: { readonly webhook: Webhook }) => (
  <Badge variant="light" color={badges[health].color}>
    {badges[health].label}
  </Badge>
)

/** Why a webhook was paused or disabled, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  restored:
    'This instance was restored from a backup. Nothing is sent until the owner of the workspace or an operator confirms that this webhook is still wanted.',
  rolled_back:
    'This workspace was rolled back. Nothing is sent until the owner of the workspace or an operator confirms that this webhook is still wanted.',
  failing: `Every delivery failed for ${FAILING_WEBHOOK_DAYS} days, so nothing is sent any more. Fix the receiver, then resume.`,
  gone: 'The receiver responded with the status 410: it wants nothing any more. If it should, resume.',
  removed:
    'Discord does not know this webhook any more. Create another one with a new URL, and delete this one.',
  secret_unreadable:
    'The secret cannot be decrypted with the secret key of this instance. Rotate the secret, or enter the URL of the Discord channel again, then resume.',
  creator_lost_access:
    'It was paused when its creator lost access. Nothing is sent until somebody resumes it, and what happens meanwhile is not sent later. Resume it if you know who gets what it sends; otherwise delete it.',
}

/** Why the last attempt failed, as a sentence. */
const describeFailure = ({ lastStatus, lastError }: Pick<Webhook, 'lastStatus' | 'lastError'>): string =>
  lastStatus === null ? (lastError ?? 'There was no response.') : `The response had the status ${lastStatus}.`

/** Why nothing is sent, or why it fails; null while deliveries arrive. */
export function explainHealth({ health, stateReason, ...webhook }: Webhook): ReactNode {
  const reason = stateReason === null ? undefined : reasons[stateReason]
  if (reason !== undefined) return reason
  if (health === 'paused')
    return 'Nothing is sent until somebody resumes it. What happens meanwhile is not sent later.'
  if (health !== 'failing') return null
  const { failingSince, holdUntil } = webhook
  return (
    <>
      Failing
      {failingSince === null ? null : (
        <>
          {' since '}
          <FormattedTime value={failingSince} format="dateTime" />
        </>
      )}
      . {describeFailure(webhook)}
      {holdUntil === null || Date.parse(holdUntil) < getNow() + MINUTE_MS ? null : (
        <>
          {' Nothing is sent before '}
          <FormattedTime value={holdUntil} format="dateTime" />.
        </>
      )}
    </>
  )
}

/** When something was delivered last, and with which status. */
export function LastDelivery({ webhook }: { readonly webhook: Webhook }) {
  const { lastAttemptAt, lastStatus } = webhook
  if (lastAttemptAt === null) return 'Nothing sent yet'
  return (
    <>
      Last delivery <FormattedTime value={lastAttemptAt} />
      {lastStatus === null ? ', without a response' : `, status ${lastStatus}`}
    </>
  )
}
