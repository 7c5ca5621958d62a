import { Button, Text } from '@mantine/core'
import { IconCopy, IconEdit, IconEye, IconEyeOff, IconLock, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasPermission } from '../../api/me.ts'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { DialogFooter } from '../../components/dialog-footer.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { notifyError, notifySuccess } from '../../components/toast.tsx'
import classes from './details.module.css'
import { deleteEvent, type Event, eventKey, eventsKey, setPublished } from './event-data.ts'
import { formatLongDateTime } from './format-event-time.ts'

interface Props {
  readonly event: Event
  readonly close: () => void
  readonly edit: (event: Event) => void
  readonly duplicate: (event: Event) => void
}

/** The actions on an event; empty without permission to manage events. */
export function EventActions({ event, close, edit, duplicate }: Props) {
  const canManage = useHasPermission('events.manage')
  const canPublish = useHasPermission('events.publish')
  const confirmDelete = useConfirmDelete(event, close)
  const publishToggle = useTogglePublished(event)
  if (!canManage) return null
  const isPublished = event.published === 'true'
  const canChange = canPublish || !isPublished
  return (
    <>
      {canPublish ? null : (
        <Text size="sm" c="dimmed" className={classes.locked ?? ''}>
          <IconLock size={14} aria-hidden />{' '}
          {isPublished
            ? 'You can duplicate this event. Changing a published event requires permission to publish events.'
            : 'You can edit this draft, but you do not have permission to publish events.'}
        </Text>
      )}
      <DialogFooter>
        {canPublish ? (
          <WriteGuard endpoint="events">
            <Button
              variant={isPublished ? 'default' : 'filled'}
              leftSection={
                isPublished ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />
              }
              loading={publishToggle.isBusy}
              onClick={publishToggle.toggle}
            >
              {isPublished ? 'Unpublish' : 'Publish'}
            </Button>
          </WriteGuard>
        ) : null}
        {canChange ? (
          <WriteGuard endpoint="events">
            <Button
              variant="default"
              leftSection={<IconEdit size={16} aria-hidden />}
              onClick={() => edit(event)}
            >
              Edit
            </Button>
          </WriteGuard>
        ) : null}
        <WriteGuard endpoint="events">
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => duplicate(event)}
          >
            Duplicate
          </Button>
        </WriteGuard>
        {canChange ? (
          <WriteGuard endpoint="events">
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={confirmDelete}
            >
              Delete
            </Button>
          </WriteGuard>
        ) : null}
      </DialogFooter>
    </>
  )
}

/** Publishes or unpublishes an event, with an undo action. */
function useTogglePublished(event: Event) {
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const change = async (from: Event, published: boolean): Promise<Event> => {
    try {
      const updated = await setPublished(from, published)
      client.setQueryData(eventKey(updated.workspaceId, updated.id), updated)
      return updated
    } finally {
      await client.invalidateQueries({ queryKey: eventsKey(from.workspaceId) })
    }
  }
  const toggle = async () => {
    setIsBusy(true)
    const published = event.published !== 'true'
    try {
      const updated = await change(event, published)
      notifySuccess(published ? `Published “${updated.title}”.` : `Unpublished “${updated.title}”.`, {
        label: 'Undo',
        run: async () => void (await change(updated, !published)),
      })
    } catch (error) {
      notifyError(error)
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, toggle: () => void toggle() }
}

/** Deletes an event after confirmation. */
function useConfirmDelete(event: Event, close: () => void) {
  const client = useQueryClient()
  const { workspaceId, id, title, scheduledFor, published } = event
  return () =>
    openConfirmDialog({
      title: `Delete “${title}”?`,
      children: (
        <>
          {published === 'true' ? 'The published event' : 'The draft'} of {formatLongDateTime(scheduledFor)}{' '}
          will be permanently deleted for everyone. The audit log keeps a record of it.
        </>
      ),
      confirmLabel: 'Delete event',
      isDestructive: true,
      run: async () => {
        await deleteEvent(event)
        close()
        client.removeQueries({ queryKey: eventKey(workspaceId, id) })
        await client.invalidateQueries({ queryKey: eventsKey(workspaceId) })
        notifySuccess(`Deleted “${title}”.`)
      },
    })
}
