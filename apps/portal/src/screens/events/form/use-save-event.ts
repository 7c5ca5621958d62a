import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ifMatch, unwrap } from '../../../api/client.ts'
import { ApiError, isVersionMismatch } from '../../../api/error.ts'
import { useWorkspace } from '../../../api/me.ts'
import { notifySuccess } from '../../../components/toast.tsx'
import { type Event, eventKey, eventQuery, eventsKey } from '../event-data.ts'
import {
  type EventFormMode,
  type EventValues,
  toEventValues,
  toRequestBody,
  validateValues,
} from './event-values.ts'
import type { ImageChoice } from './image-field.tsx'
import { encodeImage } from './image-file.ts'

/** The image fields of the request body. */
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
 * Saves the form. For an existing event, only changed fields are sent, so that changes by others survive.
 * @param reportConflict compares the event before and after a change by someone else, and returns the error to throw
 * @returns a function that saves and resolves to the event
 */
export function useSaveEvent(
  formMode: EventFormMode,
  image: ImageChoice,
  reportConflict: (before: Event, theirs: Event) => ApiError | null,
) {
  const client = useQueryClient()
  const { id: workspaceId } = useWorkspace()
  /** The version that the user has seen and is editing. */
  const base = useRef(formMode.kind === 'edit' ? formMode.event : null)

  const write = async (values: EventValues): Promise<Event> => {
    const imageFields = await toImageFields(image, formMode)
    if (base.current === null) {
      const body = { workspaceId, ...toRequestBody(values, null), ...imageFields }
      return (await unwrap(api.POST('/api/events', { body }))).event
    }
    const before = base.current
    const { id, version } = before
    const fetchLatest = () => client.fetchQuery({ ...eventQuery(workspaceId, id), staleTime: 0 })
    const changes = { ...toRequestBody(values, toEventValues(before)), ...imageFields }
    // Nothing to save. Others can have changed the event meanwhile.
    if (Object.keys(changes).length === 0) return fetchLatest()
    try {
      const body = { workspaceId, id, ...changes }
      return (await unwrap(api.PATCH('/api/events', { body, headers: ifMatch(version) }))).event
    } catch (error) {
      if (!isVersionMismatch(error)) throw error
      const latest = await fetchLatest()
      base.current = latest
      const conflict = reportConflict(before, latest)
      if (conflict) throw conflict
      return write(values)
    }
  }

  return async (values: EventValues): Promise<Event> => {
    const details = validateValues(values)
    if (details.length > 0) throw new ApiError(400, 'invalid_request', '', { details })
    const event = await write(values)
    client.setQueryData(eventKey(workspaceId, event.id), event)
    await client.invalidateQueries({ queryKey: eventsKey(workspaceId) })
    notifySuccess(formMode.kind === 'edit' ? `Saved “${event.title}”.` : formatSavedMessage(event))
    return event
  }
}

const formatSavedMessage = ({ title, published }: Event): string =>
  published === 'true' ? `Published “${title}”.` : `Saved “${title}” as a draft.`
