import type { ReactNode } from 'react'
import type { CreatorChoice } from './creator-choice.ts'
import { CreatorChoiceField } from './creator-choice-field.tsx'
import type { CreatorWebhook } from './creator-webhooks.ts'
import { FormattedTime } from './formatted-time.tsx'

interface Props {
  readonly pausing: CreatorChoice<CreatorWebhook>
  /** Who created the webhooks: `robin`, `You`, or `Members`. */
  readonly creator: ReactNode
  /** Shows the workspace of each webhook. */
  readonly showsWorkspace?: boolean
}

/** The webhooks of a person whose access ends or is reduced, each to be paused unless the user keeps it. Nothing if there are none. */
export const CreatorWebhooksField = ({ pausing, creator, showsWorkspace = false }: Props) => (
  <CreatorChoiceField
    choice={pausing}
    noun="webhook"
    verb="Pause"
    description={
      <>
        {creator} created these webhooks and may control who gets what they send. Webhooks that you keep go on
        sending.
      </>
    }
    moreNote="can still send. Pause those that are not needed in their workspaces, under Configuration → Webhooks."
    showsWorkspace={showsWorkspace}
    renderDetails={({ kind, host, lastSuccessAt }) => (
      <>
        {kind === 'discord' ? 'A Discord channel' : <bdi>{host}</bdi>} ·{' '}
        {lastSuccessAt === null ? (
          'Nothing delivered yet'
        ) : (
          <>
            Last delivery <FormattedTime value={lastSuccessAt} />
          </>
        )}
      </>
    )}
  />
)
