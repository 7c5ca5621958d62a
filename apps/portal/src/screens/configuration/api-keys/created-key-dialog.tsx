import { Text } from '@mantine/core'
import { useWorkspace } from '../../../api/me.ts'
import { CopyBlock } from '../../../components/copy-block.tsx'
import { ShowOnceDialog } from '../show-once-dialog.tsx'
import { buildCurlExample } from './curl-example.ts'
import type { CreatedKey } from './key-data.ts'

interface Props {
  readonly created: CreatedKey | null
  readonly close: () => void
}

/** Shows a new key, once. */
export const CreatedKeyDialog = ({ created, close }: Props) => (
  <ShowOnceDialog
    opened={created !== null}
    title={created ? `The key “${created.key.name}” is ready` : ''}
    warning="Copy the key now. It will not be shown again: Reeve stores only a hash of it."
    close={close}
  >
    {created ? <CreatedKeyDetails created={created} /> : null}
  </ShowOnceDialog>
)

function CreatedKeyDetails({ created: { key, secret } }: { readonly created: CreatedKey }) {
  const { id } = useWorkspace()
  const example = buildCurlExample(window.location.origin, id, { secret, permissions: key.permissions })
  return (
    <>
      <CopyBlock label="API key" value={secret}>
        Store it where only your program can read it, never in a script that players can download.
      </CopyBlock>
      {example ? (
        <CopyBlock label="Try it" value={example.command}>
          Run this in a terminal. It returns {example.description} and changes nothing.
          {key.allowedIps.length > 0 ? ` It only works from ${key.allowedIps.join(', ')}.` : ''}
        </CopyBlock>
      ) : (
        <Text size="sm" c="dimmed">
          This key has no read permissions, so every request it can make changes something. See the API
          reference for examples.
        </Text>
      )}
    </>
  )
}
