import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../api/error.ts'

/** Something that a person leaves behind: an API key, a webhook. */
interface Creation {
  readonly id: string
}

/** A list of what a person leaves behind. */
export interface Creations<Item extends Creation> {
  readonly items: readonly Item[]
  /** How many more there are, which cannot be chosen. */
  readonly more: number
}

/** @param more how many are not listed, as a response has it */
export const toCreations = <Item extends Creation>(items: readonly Item[], more = '0'): Creations<Item> => ({
  items,
  more: Number(more),
})

/** How the things that a person leaves behind are read. */
export interface CreationsQuery<Item extends Creation> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: () => Promise<Creations<Item>>
  /** Those that are shown. */
  readonly select?: (creations: Creations<Item>) => Creations<Item>
}

/** The choice of what ends with somebody's access: all of it unless the user decides otherwise. */
export interface CreatorChoice<Item extends Creation> {
  readonly result: UseQueryResult<Creations<Item>>
  readonly skippedIds: readonly string[]
  readonly setSkipped: (id: string, isSkipped: boolean) => void
  /** Whether all of it is known, so that the user has seen what becomes of it. */
  readonly isReady: boolean
  /**
   * Reads the list again. What has ended in the meantime is no longer chosen.
   * @returns the IDs to send; null if something is listed now that the user has not seen
   */
  readonly confirm: () => Promise<string | null>
}

/** @param query null if nothing is asked */
export function useCreatorChoice<Item extends Creation>(
  query: CreationsQuery<Item> | null,
): CreatorChoice<Item> {
  const result = useQuery<Creations<Item>>(query ? { ...query, staleTime: 0 } : nothing)
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([])
  const items = result.data?.items ?? []
  return {
    result,
    skippedIds,
    setSkipped: (id, isSkipped) =>
      setSkippedIds((ids) => (isSkipped ? [...ids, id] : ids.filter((other) => other !== id))),
    isReady: result.data !== undefined,
    async confirm() {
      if (query === null) return ''
      const { data } = await result.refetch({ throwOnError: true })
      const ids = (data?.items ?? []).map(({ id }) => id)
      if (ids.some((id) => !items.some((item) => item.id === id))) return null
      return ids.filter((id) => !skippedIds.includes(id)).join(',')
    },
  }
}

const nothing = { queryKey: ['nothing'], enabled: false, initialData: { items: [], more: 0 } }

/** The fields of a request that ends what was chosen. */
interface CreationsFields {
  readonly revokeKeyIds?: string
  readonly pauseWebhookIds?: string
}

/**
 * Returns a function that sends what was chosen. It reads the lists again before, because those concerned can go on working while the
 * dialog is open: a key that they rotate has a successor that the user has not seen. A retry of a request without a response is the same
 * request.
 * @param choices those that the request is about @throws ApiError `conflict` if the user has to check the lists again
 */
export function useSendCreations(
  choices: Readonly<Partial<Record<keyof CreationsFields, CreatorChoice<Creation> | null>>>,
): <Result>(send: (fields: CreationsFields) => Promise<Result>) => Promise<Result> {
  const unanswered = useRef<{ readonly choice: string; readonly fields: CreationsFields } | null>(null)
  const asked = Object.entries(choices).flatMap(([field, choice]) => (choice ? [{ field, choice }] : []))
  const choice = JSON.stringify(asked.map((one) => [one.field, one.choice.skippedIds]))
  return async (send) => {
    const pending = unanswered.current
    const fields = pending?.choice === choice ? pending.fields : await confirmAll(asked)
    unanswered.current = { choice, fields }
    try {
      const result = await send(fields)
      unanswered.current = null
      return result
    } catch (error) {
      if (!(error instanceof ApiError) || error.isOutcomeUnknown) throw error
      unanswered.current = null
      if (!error.details.some(({ field }) => Object.hasOwn(fields, field))) throw error
      await Promise.all(asked.map((one) => one.choice.result.refetch()))
      throw listsChangedError()
    }
  }
}

async function confirmAll(
  asked: readonly { readonly field: string; readonly choice: CreatorChoice<Creation> }[],
): Promise<CreationsFields> {
  const confirmed = await Promise.all(
    asked.map(async ({ field, choice }) => [field, await choice.confirm()] as const),
  )
  if (confirmed.some(([, ids]) => ids === null)) throw listsChangedError()
  return Object.fromEntries(confirmed)
}

const listsChangedError = () =>
  new ApiError(
    409,
    'conflict',
    'The API keys and webhooks have changed since you opened this dialog. Check what is listed now, and confirm again.',
  )
