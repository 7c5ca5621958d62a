import { Text } from '@mantine/core'
import { CopyBlock } from '../../../components/copy-block.tsx'
import { formatDateTime } from '../../../format/time.ts'
import { ShowOnceDialog } from '../show-once-dialog.tsx'

/** A new secret, which the server returns only once. */
export interface ShownSecret {
  readonly name: string
  readonly secret: string
  /** Until when the previous secret signs as well, RFC 3339; null if there is none. */
  readonly previousUntil: string | null
}

interface Props {
  readonly shown: ShownSecret | null
  readonly close: () => void
}

/** Shows a new secret, once. */
export const SecretDialog = ({ shown, close }: Props) => (
  <ShowOnceDialog
    opened={shown !== null}
    title={shown ? `The secret of “${shown.name}”` : ''}
    warning="Copy the secret now. It will not be shown again."
    close={close}
  >
    <CopyBlock label="Secret" value={shown?.secret ?? ''}>
      Your program verifies with it that a request comes from this instance of Reeve. Store it where only that
      program can read it. Libraries for Standard Webhooks take it as it is.
    </CopyBlock>
    {shown?.previousUntil ? (
      <Text size="sm">
        Until {formatDateTime(shown.previousUntil)} each request is signed with both secrets, so that your
        program can change from one to the other without missing anything.
      </Text>
    ) : null}
  </ShowOnceDialog>
)
