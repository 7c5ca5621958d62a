import { Anchor, Text } from '@mantine/core'
import { IconPin } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { ExpandableText } from '../../../components/expandable-text.tsx'
import { FormattedTime } from '../../../components/formatted-time.tsx'
import { SmallButton } from '../../../components/small-button.tsx'
import { notifyError, notifySuccess } from '../../../components/toast.tsx'
import { type PinnedNote, playerFactsQuery, useActorNames } from '../queries.ts'
import { openReasonDialog } from '../reason-dialog.tsx'
import { pinNote, unpinNote } from '../teamwork/queries.ts'
import classes from './pinned-notes.module.css'

interface Props {
  readonly userId: string
  readonly notes: readonly PinnedNote[]
}

/** What staff see first about a player, and the button that adds a note to it. */
export function PinnedNotes({ userId, notes }: Props) {
  const { id: workspaceId } = useWorkspace()
  const canPin = useHasPermission('moderation.note')
  const names = useActorNames(
    workspaceId,
    notes.map(({ createdBy }) => createdBy),
  )
  if (notes.length === 0 && !canPin) return null
  const openPin = () =>
    openReasonDialog({
      title: `Pin a note on ${userId}`,
      children:
        'Staff see it first on the page of the player, and in the dialog in which they act. Players never see it.',
      label: 'Note',
      submitLabel: 'Pin note',
      run: async (text) => {
        await pinNote(workspaceId, { userId, text })
        notifySuccess('Pinned the note.')
      },
    })
  const unpin = (note: PinnedNote) =>
    void unpinNote(workspaceId, note.id).then(
      () =>
        notifySuccess('Unpinned the note.', {
          label: 'Undo',
          run: () =>
            pinNote(
              workspaceId,
              note.recordId === null ? { userId, text: note.text ?? '' } : { recordId: note.recordId },
            ),
        }),
      notifyError,
    )
  return (
    <section aria-label="Pinned notes">
      {notes.map((note) => (
        <Note
          key={note.id}
          note={note}
          lines={3}
          meta={
            <>
              <CaseReference note={note} workspaceId={workspaceId} />
              pinned by <bdi>{names.get(note.createdBy) ?? 'a former member'}</bdi>,{' '}
              <FormattedTime value={note.createdAt} />
            </>
          }
        >
          {canPin ? (
            <WriteGuard endpoint="moderation">
              <SmallButton aria-label={`Unpin “${note.text ?? 'Redacted'}”`} onClick={() => unpin(note)}>
                Unpin
              </SmallButton>
            </WriteGuard>
          ) : null}
        </Note>
      ))}
      {canPin ? (
        <WriteGuard endpoint="moderation">
          <SmallButton variant="subtle" leftSection={<IconPin size={16} aria-hidden />} onClick={openPin}>
            Pin a note
          </SmallButton>
        </WriteGuard>
      ) : null}
    </section>
  )
}

const CaseReference = ({ note, workspaceId }: { readonly note: PinnedNote; readonly workspaceId: string }) =>
  note.recordId === null ? null : (
    <>
      <Anchor component={Link} to={`/w/${workspaceId}/moderation/cases/${note.recordId}`} underline="always">
        Case {note.caseNumber}
      </Anchor>
      ,{' '}
    </>
  )

/** The pinned notes of a player in the dialog in which staff act: without links that would leave it. */
export function PinnedNotesInDialog({ userId }: { readonly userId: string }) {
  const { id: workspaceId } = useWorkspace()
  const { data: facts } = useQuery(playerFactsQuery(workspaceId, userId))
  return facts?.pinnedNotes.map((note) => (
    <Note
      key={note.id}
      note={note}
      lines={2}
      meta={note.caseNumber === null ? null : `Case ${note.caseNumber}`}
    />
  ))
}

interface NoteProps {
  readonly note: PinnedNote
  /** How many lines are shown at first, so that a long note leaves room for what is below it. */
  readonly lines: number
  readonly meta: ReactNode
  readonly children?: ReactNode
}

const Note = ({ note, lines, meta, children }: NoteProps) => (
  <div className={classes.note}>
    <IconPin size={20} stroke={1.7} aria-label="Pinned" />
    <div className={classes.text}>
      {note.text === null ? (
        <em>The text was redacted.</em>
      ) : (
        <ExpandableText lines={lines} label="the pinned note">
          {note.text}
        </ExpandableText>
      )}
    </div>
    {meta ? (
      <Text component="div" size="xs" c="dimmed" className={classes.meta}>
        {meta}
      </Text>
    ) : null}
    {children ? <div className={classes.actions}>{children}</div> : null}
  </div>
)
