import { Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { normalizeName } from '@reeve/core'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useHasPermission, useWorkspace } from '../../../api/me.ts'
import { SEARCH_DEBOUNCE_MS } from '../../../components/use-filters.ts'
import type { AddedTextProps } from '../../../forms/use-text-form.ts'
import classes from './mention-textarea.module.css'
import { assigneesQuery } from './queries.ts'

/** An `@` at the start of a word, and what follows it up to the cursor. */
const MENTION = /(?:^|[\s(["'])@([^@\n]{0,50})$/

/** What is typed of a name. */
interface TypedName {
  readonly text: string
  /** Where the `@` is. */
  readonly start: number
}

/** A text field that suggests the members who can be mentioned, to those who may view members. */
export function MentionTextarea({ onChange, value, ...props }: AddedTextProps) {
  const { id: workspaceId } = useWorkspace()
  const canMention = useHasPermission('members.view') && !props.readOnly
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [typed, setTyped] = useState<TypedName | null>(null)
  const [active, setActive] = useState(0)
  const [q] = useDebouncedValue(typed?.text ?? '', SEARCH_DEBOUNCE_MS)
  const { data } = useQuery({ ...assigneesQuery(workspaceId, q), enabled: canMention && typed !== null })
  // The data can be those of what was typed before.
  const members =
    typed === null
      ? []
      : (data ?? []).filter(({ username }) => normalizeName(username).includes(normalizeName(typed.text)))
  const selected = members[Math.min(active, members.length - 1)]

  const findTyped = () => {
    const position = field.current?.selectionStart ?? 0
    const match = MENTION.exec((field.current?.value ?? '').slice(0, position))
    const text = match?.[1]
    setTyped(text === undefined ? null : { text, start: position - text.length - 1 })
    setActive(0)
  }
  const choose = (username: string) => {
    const textarea = field.current
    if (!textarea || typed === null) return
    // Through the browser, so that it can be undone like typed text.
    textarea.focus()
    textarea.setSelectionRange(typed.start, typed.start + 1 + typed.text.length)
    document.execCommand('insertText', false, `@${username} `)
    setTyped(null)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (selected === undefined || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((index) => (Math.min(index, members.length - 1) + step + members.length) % members.length)
    } else if (event.key === 'Enter' || event.key === 'Tab') choose(selected.username)
    else if (event.key === 'Escape') setTyped(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={classes.field}>
      <Textarea
        {...props}
        ref={field}
        value={value}
        onChange={(event: ChangeEvent<HTMLTextAreaElement>) => {
          onChange(event)
          findTyped()
        }}
        onClick={findTyped}
        onKeyDown={handleKey}
        onBlur={() => setTyped(null)}
        autosize
        minRows={1}
        maxRows={8}
        description={canMention ? 'Write @ to mention someone.' : undefined}
        aria-autocomplete="list"
        aria-controls={selected ? listId : undefined}
        aria-activedescendant={selected ? `${listId}-${selected.accountId}` : undefined}
      />
      {selected ? (
        <div id={listId} role="listbox" aria-label="Members to mention" className={classes.options}>
          {members.map(({ accountId, username }) => (
            <div
              key={accountId}
              id={`${listId}-${accountId}`}
              role="option"
              tabIndex={-1}
              aria-selected={accountId === selected.accountId}
              className={classes.option}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                choose(username)
              }}
            >
              <bdi>{username}</bdi>
            </div>
          ))}
        </div>
      ) : null}
    </div>
  )
}
