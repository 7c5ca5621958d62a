import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, unwrap } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import { type Event, eventKey, eventQuery, eventsKey } from '../event-data.ts'
import { type EventFormMode, type EventValues, toRequestBody, validateValues } from './event-values.ts'
import type { ImageChoice } from './image-field.tsx'
import { encodeImage } from './image-file.ts'

/** What is sent of the image. */
async function toImageFields(
  choice: ImageChoice,
  formMode: EventFormMode,
): Promise<{ imageDataUrl?: string; imageUrl?: string | null }> {
  if (choice.kind === 'new') {
    try {
      return { imageDataUrl: await encodeImage(choice.image, choice.crop) }
    } catch (cause) {
      throw new ApiError(400, 'invalid_request', (cause as Error).message)
    }
  }
  if (choice.kind === 'none') return formMode.kind === 'edit' ? { imageUrl: null } : {}
  return formMode.kind === 'copy' && formMode.event.imageUrl !== null
    ? { imageUrl: formMode.event.imageUrl }
    : {}
}

/**
 * Sends the form: of an event that there is only what was changed, so that nothing of what others changed is lost.
 * @param first what the form held at first
 * @returns what saves it, and answers with the event
 */
export function useSaveEvent(formMode: EventFormMode, initial: EventValues, image: ImageChoice) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  const version = useRef(formMode.kind === 'edit' ? formMode.event.version : '')

  const write = async (values: EventValues): Promise<Event> => {
    const imageFields = await toImageFields(image, formMode)
    if (formMode.kind !== 'edit') {
      const body = { workspaceId, ...toRequestBody(values, null), ...imageFields }
      return (await unwrap(api.POST('/api/events', { body }))).event
    }
    const { id } = formMode.event
    const body = { workspaceId, id, ...toRequestBody(values, initial), ...imageFields }
    try {
      return (await unwrap(api.PATCH('/api/events', { body, headers: ifMatch(version.current) }))).event
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'version_mismatch')) throw error
      // The next try is on top of what they did.
      const latest = await client.fetchQuery({ ...eventQuery(workspaceId, id), staleTime: 0 })
      version.current = latest.version
      throw new ApiError(
        error.status,
        error.code,
        'Somebody else changed this event meanwhile. Save again to put what you changed on top of it, or cancel to look at it first.',
      )
    }
  }

  return async (values: EventValues): Promise<Event> => {
    const details = validateValues(values)
    if (details.length > 0) throw new ApiError(400, 'invalid_request', '', { details })
    const event = await write(values)
    client.setQueryData(eventKey(workspaceId, event.id), event)
    await client.invalidateQueries({ queryKey: eventsKey(workspaceId) })
    notifySuccess(formMode.kind === 'edit' ? `Changed “${event.title}”.` : formatSavedMessage(event))
    return event
  }
}

const formatSavedMessage = ({ title, published }: Event): string =>
  published === 'true' ? `“${title}” is published.` : `“${title}” is saved as a draft.`
