import { Anchor, List } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { formatDateTime } from '../../format/time.ts'
import type { Erasure } from './erasure-data.ts'

const places = { folder: 'in the backup folder', bucket: 'in the bucket' } as const

/** What a complete erasure leaves for people to do: backups, archives, and what others wrote. */
export function ErasureRemains({ erasure }: { readonly erasure: Erasure }) {
  const { id: workspaceId } = useWorkspace()
  const { archives, backups, backupsBefore, backupsProblem, mentionedInCases } = erasure
  return (
    <List size="sm" mt="xs">
      {backups.map(({ name, takenAt, place }) => (
        <List.Item key={`${place} ${name}`}>
          The backup of {formatDateTime(takenAt)} {places[place]} contains the player: <bdi>{name}</bdi>
        </List.Item>
      ))}
      {backupsProblem === null ? null : <List.Item>{backupsProblem}</List.Item>}
      <List.Item>
        {backups.length === 0 ? 'Backups' : 'Other copies of backups'} from before{' '}
        {formatDateTime(backupsBefore)} can contain the player until they are deleted.
      </List.Item>
      {archives.map(({ id, createdAt }) => (
        <List.Item key={id}>
          <Anchor
            component={Link}
            to={`/w/${workspaceId}/configuration/workspace`}
            size="sm"
            underline="always"
          >
            The archive of {formatDateTime(createdAt)}
          </Anchor>{' '}
          contains the player.
        </List.Item>
      ))}
      {mentionedInCases.length === 0 ? null : (
        <List.Item>
          Texts of other players name the ID: cases{' '}
          {mentionedInCases.map((number, index) => (
            <Fragment key={number}>
              {index === 0 ? '' : ', '}
              <Anchor
                component={Link}
                to={`/w/${workspaceId}/moderation/records?caseNumber=${number}`}
                size="sm"
                underline="always"
              >
                {number}
              </Anchor>
            </Fragment>
          ))}
          .
        </List.Item>
      )}
    </List>
  )
}
