import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useHasPermission, useWorkspace } from '../../api/me.ts'
import { loadCode } from '../../app/load-code.ts'
import { formatActorName } from '../../components/blanked-name.ts'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { notifyError } from '../../components/toast.tsx'
import { formatBytes } from '../../format/number.ts'
import type { AppealDetails } from './appeal-data.ts'
import classes from './appeals.module.css'

type Message = AppealDetails['messages'][number]
type AppealFile = AppealDetails['files'][number]

interface Props {
  readonly messages: readonly Message[]
  readonly files: readonly AppealFile[]
  readonly playerName: string
}

/** The messages and the files of the player, oldest first: those of the player, those that the player reads, and internal ones. */
export const Thread = ({ messages, files, playerName }: Props) => {
  const items = [
    ...messages.map((message) => ({ at: message.createdAt, message, file: null })),
    ...files.map((file) => ({ at: file.addedAt, message: null, file })),
  ].toSorted((one, other) => one.at.localeCompare(other.at))
  return (
    <ol className={classes.thread} aria-label="Messages">
      {items.map(({ message, file }) =>
        message === null ? (
          <FileItem key={file.id} file={file} playerName={playerName} />
        ) : (
          <MessageItem key={message.id} message={message} playerName={playerName} />
        ),
      )}
    </ol>
  )
}

function MessageItem({
  message: { from, internal, author, text, createdAt },
  playerName,
}: {
  readonly message: Message
  readonly playerName: string
}) {
  const isInternal = internal === 'true'
  return (
    <li data-kind={isInternal ? 'internal' : from}>
      <Text size="sm" c="dimmed">
        <bdi>{from === 'player' ? playerName : author ? formatActorName(author.username) : 'Staff'}</bdi>
        {isInternal ? ', internal' : ''}, <FormattedTime value={createdAt} />
      </Text>
      <p className={classes.text}>{text}</p>
    </li>
  )
}

function FileItem({ file, playerName }: { readonly file: AppealFile; readonly playerName: string }) {
  const { id: workspaceId } = useWorkspace()
  const canOpen = useHasPermission('moderation.evidence')
  const [isBusy, setIsBusy] = useState(false)
  const download = async () => {
    setIsBusy(true)
    try {
      const { saveFile } = await loadCode(() => import('../moderation/evidence/file-requests.ts'))
      await saveFile(workspaceId, file)
    } catch (error) {
      notifyError(error)
    }
    setIsBusy(false)
  }
  return (
    <li data-kind="player">
      <Text size="sm" c="dimmed">
        <bdi>{playerName}</bdi> sent a file, <FormattedTime value={file.addedAt} />
      </Text>
      <p className={classes.text}>
        <bdi>{file.name}</bdi> ({formatBytes(Number(file.size))})
      </p>
      {canOpen ? (
        <Button
          size="xs"
          variant="default"
          loading={isBusy}
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-label={`Download ${file.name}`}
          onClick={() => void download()}
        >
          Download
        </Button>
      ) : (
        <Text size="sm" c="dimmed">
          You do not have the permission to open evidence files.
        </Text>
      )}
    </li>
  )
}
