import type { ReactNode } from 'react'
import type { CreatorChoice } from './creator-choice.ts'
import { CreatorChoiceField } from './creator-choice-field.tsx'
import type { CreatorKey } from './creator-keys.ts'
import { FormattedTime } from './formatted-time.tsx'

interface Props {
  readonly revocation: CreatorChoice<CreatorKey>
  /** Who created the keys: `robin`, `You`, or `Members`. */
  readonly creator: ReactNode
  /** Shows the workspace of each key. */
  readonly showsWorkspace?: boolean
  /** What becomes of the keys that stay. */
  readonly note?: string
}

/** The keys of a person whose access ends, each to be revoked unless the user keeps it. Nothing if there are none. */
export const CreatorKeysField = ({ revocation, creator, showsWorkspace = false, note }: Props) => (
  <CreatorChoiceField
    choice={revocation}
    noun="API key"
    verb="Revoke"
    description={
      <>
        {creator} created these keys and may have copies. Keys that you keep go on working. {note}
      </>
    }
    moreNote="can still be used. Revoke those that are not needed in their workspaces, under Configuration → API keys."
    showsWorkspace={showsWorkspace}
    renderSuffix={({ hint }) => ` …${hint}`}
    renderDetails={({ lastUsedAt }) =>
      lastUsedAt === null ? (
        'Never used'
      ) : (
        <>
          Last used <FormattedTime value={lastUsedAt} />
        </>
      )
    }
  />
)
