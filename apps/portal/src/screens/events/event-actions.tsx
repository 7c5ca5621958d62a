import { Button, Text } from '@mantine/core'
import { IconCopy, IconEdit, IconEye, IconEyeOff, IconLock, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '../../components/confirm.tsx'
import { useMayChange } from '../../components/permission-gate.tsx'
import { tellDone, tellOfFailure } from '../../components/tell.tsx'
import classes from './details.module.css'
import { deleteEvent, type Event, eventKey, eventsKey, setPublished } from './event-data.ts'
import { momentWords } from './event-words.ts'

interface Props {
  readonly event: Event
  readonly close: () => void
  readonly edit: (event: Event) => void
  readonly duplicate: (event: Event) => void
}

/** What can be done with an event, by whoever manages events. */
export function EventActions({ event, close, edit, duplicate }: Props) {
  const mayManage = useMayChange('events.manage')
  const mayPublish = useMayChange('events.publish')
  const askToDelete = useDelete(event, close)
  const publishing = usePublishing(event)
  if (!mayManage) return null
  const isPublished = event.published === 'true'
  return (
    <>
      {isPublished || mayPublish ? null : (
        <Text size="sm" c="dimmed" className={classes.locked ?? ''}>
          <IconLock size={14} aria-hidden /> You may prepare events. Whoever may publish them makes this one
          seen.
        </Text>
      )}
      <div className={classes.foot}>
        {mayPublish ? (
          <Button
            variant={isPublished ? 'default' : 'filled'}
            leftSection={
              isPublished ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />
            }
            loading={publishing.isBusy}
            onClick={publishing.toggle}
          >
            {isPublished ? 'Take back to draft' : 'Publish'}
          </Button>
        ) : null}
        <Button
          variant="default"
          leftSection={<IconEdit size={16} aria-hidden />}
          onClick={() => edit(event)}
        >
          Edit
        </Button>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => duplicate(event)}
        >
          Duplicate
        </Button>
        <Button
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={askToDelete}
        >
          Delete
        </Button>
      </div>
    </>
  )
}

/** Publishes an event at once, or takes it back, which can be undone by the same. */
function usePublishing(event: Event) {
  const client = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const change = async (from: Event, published: boolean): Promise<Event> => {
    try {
      const after = await setPublished(from, published)
      client.setQueryData(eventKey(after.workspaceId, after.id), after)
      return after
    } finally {
      await client.invalidateQueries({ queryKey: eventsKey(from.workspaceId) })
    }
  }
  const toggle = async () => {
    setIsBusy(true)
    const published = event.published !== 'true'
    try {
      const after = await change(event, published)
      tellDone(published ? `“${after.title}” is published.` : `“${after.title}” is a draft again.`, {
        label: 'Undo',
        run: async () => void (await change(after, !published)),
      })
    } catch (error) {
      tellOfFailure(error)
    } finally {
      setIsBusy(false)
    }
  }
  return { isBusy, toggle: () => void toggle() }
}

/** Asks before an event is deleted. */
function useDelete(event: Event, close: () => void) {
  const client = useQueryClient()
  const { workspaceId, id, title, scheduledFor, published } = event
  return () =>
    confirm({
      title: `Delete “${title}”?`,
      children: (
        <>
          {published === 'true' ? 'The published event' : 'The draft'} of {momentWords(scheduledFor)} is
          deleted for good, for everybody. The audit log keeps what it was.
        </>
      ),
      action: 'Delete the event',
      isDestructive: true,
      run: async () => {
        await deleteEvent(event)
        close()
        client.removeQueries({ queryKey: eventKey(workspaceId, id) })
        await client.invalidateQueries({ queryKey: eventsKey(workspaceId) })
        tellDone(`Deleted “${title}”.`)
      },
    })
}
