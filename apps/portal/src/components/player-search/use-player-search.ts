import { cleanQuery } from '@reeve/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, type RefObject, useCallback, useRef, useState } from 'react'
import { useWorkspace } from '../../api/me.ts'
import { findExactPlayer, replaceProfileLink } from '../../screens/moderation/player/player-lookup.ts'
import { useSearchText } from '../use-search-text.ts'

/** Selects the results. */
const RESULT_SELECTOR = '[data-player-result]'

/** A search for players: a field, and results that the arrow keys move through. */
export interface PlayerSearch {
  readonly workspaceId: string
  readonly text: string
  /** The query of the results. */
  readonly q: string
  readonly change: (text: string) => void
  readonly clear: () => void
  readonly submit: (event: FormEvent) => Promise<void>
  /** Contains the field and the results. */
  readonly area: RefObject<HTMLDivElement | null>
  readonly handleKeyDown: (event: KeyboardEvent) => void
  /** Whether to move to the results as soon as they are there. */
  readonly shouldFocusResults: boolean
  readonly focusResults: () => void
}

/**
 * A search for players by ID or name. Enter opens the player whose complete ID or name was typed, and otherwise moves to the
 * results.
 * @param q the query in use, for example from the URL
 * @param setQuery uses another query; undefined for none
 */
export function usePlayerSearch(
  workspaceId: string,
  q: string,
  setQuery: (q: string | undefined) => void,
): PlayerSearch {
  const navigate = useNavigate()
  const { text, change, apply } = useSearchText(q, setQuery)
  const area = useRef<HTMLDivElement>(null)
  const workspace = useWorkspace()
  const submissions = useRef(0)
  const [shouldFocusResults, setShouldFocusResults] = useState(false)

  const getInput = () => area.current?.querySelector<HTMLInputElement>('input')
  const getLinks = () => [...(area.current?.querySelectorAll<HTMLElement>(RESULT_SELECTOR) ?? [])]
  const abandonSubmission = () => {
    submissions.current += 1
    setShouldFocusResults(false)
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    abandonSubmission()
    const submission = submissions.current
    const query = cleanQuery(text)
    apply(query)
    if (query === '') return
    const userId = await findExactPlayer(workspaceId, query, workspace.platforms)
    // The user has typed on or has left the field.
    if (submission !== submissions.current || document.activeElement !== getInput()) return
    if (userId === null) setShouldFocusResults(true)
    else {
      const params = { workspaceId, userId }
      await navigate({ to: '/w/$workspaceId/moderation/players/$userId', params })
    }
  }

  /** The arrow keys move between the field and the results; Escape leaves the results, then clears the field. */
  const handleKeyDown = (event: KeyboardEvent) => {
    const index = getLinks().indexOf(document.activeElement as HTMLElement)
    const isInField = document.activeElement === getInput()
    if (index < 0 && !isInField) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = index + (event.key === 'ArrowDown' ? 1 : -1)
      const target = next < 0 ? (isInField ? null : getInput()) : getLinks()[next]
      if (!target && isInField) return
      event.preventDefault()
      target?.focus()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (isInField) clear()
      else getInput()?.focus()
    }
  }

  const clear = () => {
    abandonSubmission()
    apply('')
  }

  const focusResults = useCallback(() => {
    setShouldFocusResults(false)
    const [first] = area.current?.querySelectorAll<HTMLElement>(RESULT_SELECTOR) ?? []
    if (document.activeElement === area.current?.querySelector('input')) first?.focus()
  }, [])

  return {
    workspaceId,
    text,
    q,
    change: (next) => {
      abandonSubmission()
      change(replaceProfileLink(next, workspace))
    },
    clear,
    submit,
    area,
    handleKeyDown,
    shouldFocusResults,
    focusResults,
  }
}
