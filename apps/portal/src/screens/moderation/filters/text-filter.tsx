import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { SEARCH_DEBOUNCE_MS } from '../../../components/use-filters.ts'

interface Props {
  readonly text: string
  readonly apply: (text: string | undefined) => void
}

const MAX_TEXT_LENGTH = 100

/** Searches the texts of cases while it is being typed. */
export function TextFilter({ text, apply }: Props) {
  const [typed, setTyped] = useState(text)
  const [applied, setApplied] = useState(text)
  const [sent, setSent] = useState(text)
  // Follow the URL when it changes from elsewhere, but not when it lags behind what is being typed.
  if (text !== applied) {
    setApplied(text)
    if (text !== sent) setTyped(text)
  }
  const search = useDebouncedCallback((value: string) => {
    setSent(value.trim())
    apply(value.trim() || undefined)
  }, SEARCH_DEBOUNCE_MS)
  return (
    <TextInput
      label="Text"
      type="search"
      placeholder="In reasons and comments"
      maxLength={MAX_TEXT_LENGTH}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        search(event.currentTarget.value)
      }}
    />
  )
}
