import { Button, Group } from '@mantine/core'
import { FormAlert } from '../forms/form-alert.tsx'
import { CopyButton } from './copy-button.tsx'

interface Props {
  /** What the text is: `message`. */
  readonly noun: string
  readonly text: string
  /** Why it cannot be sent any more, as sentences. */
  readonly cause: string
  readonly discard: () => void
}

/** Below a text that can no longer be sent, because of what somebody else has done: says why, and offers to copy it. */
export const UnsentText = ({ noun, text, cause, discard }: Props) => (
  <>
    <FormAlert>{`${cause} Your ${noun} was not sent: copy it if you need it.`}</FormAlert>
    <Group>
      <CopyButton value={text} label={noun}>
        Copy {noun}
      </CopyButton>
      <Button variant="default" onClick={discard}>
        Discard {noun}
      </Button>
    </Group>
  </>
)
