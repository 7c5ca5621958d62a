import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, take } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { tellDone } from '../../../components/tell.tsx'
import { type Event, eventKey, eventQuery, eventsKey } from '../event-data.ts'
import type { Subject } from './event-form.tsx'
import type { ImageChoice } from './image-field.tsx'
import { encoded } from './image-file.ts'
import { bodyOf, type EventValues, problemsOf } from './values.ts'

/** What is sent of the image. */
async function imageBody(
  choice: ImageChoice,
  subject: Subject,
): Promise<{ imageDataUrl?: string; imageUrl?: string | null }> {
  if (choice.kind === 'new') {
    try {
      return { imageDataUrl: await encoded(choice.image, choice.crop) }
    } catch (failure) {
      throw new ApiError(400, 'invalid_request', (failure as Error).message)
    }
  }
  if (choice.kind === 'none') return subject.kind === 'edit' ? { imageUrl: null } : {}
  return subject.kind === 'copy' && subject.event.imageUrl !== null
    ? { imageUrl: subject.event.imageUrl }
    : {}
}

/**
 * Sends the form: of an event that there is only what was changed, so that nothing of what others changed is lost.
 * @param first what the form held at first
 * @returns what saves it, and answers with the event
 */
export function useSaving(subject: Subject, first: EventValues, image: ImageChoice) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const version = useRef(subject.kind === 'edit' ? subject.event.version : '')

  const write = async (values: EventValues): Promise<Event> => {
    const picture = await imageBody(image, subject)
    if (subject.kind !== 'edit') {
      const body = { workspaceId, ...bodyOf(values, null), ...picture }
      return (await take(api.POST('/api/events', { body }))).event
    }
    const { id } = subject.event
    const body = { workspaceId, id, ...bodyOf(values, first), ...picture }
    try {
      return (await take(api.PATCH('/api/events', { body, headers: ifMatch(version.current) }))).event
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'version_mismatch')) throw error
      // The next try is on top of what they did.
      const newest = await client.fetchQuery({ ...eventQuery(workspaceId, id), staleTime: 0 })
      version.current = newest.version
      throw new ApiError(
        error.status,
        error.code,
        'Somebody else changed this event meanwhile. Save again to put what you changed on top of it, or cancel to look at it first.',
      )
    }
  }

  return async (values: EventValues): Promise<Event> => {
    const details = problemsOf(values)
    if (details.length > 0) throw new ApiError(400, 'invalid_request', '', { details })
    const event = await write(values)
    client.setQueryData(eventKey(workspaceId, event.id), event)
    await client.invalidateQueries({ queryKey: eventsKey(workspaceId) })
    tellDone(subject.kind === 'edit' ? `Changed “${event.title}”.` : doneWords(event))
    return event
  }
}

const doneWords = ({ title, published }: Event): string =>
  published === 'true' ? `“${title}” is published.` : `“${title}” is saved as a draft.`
