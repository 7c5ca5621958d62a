import { Combobox, Loader, Pill, PillsInput, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { plainTextProps } from '../forms/text-fields.tsx'
import { notifyError } from './toast.tsx'
import classes from './token-field.module.css'

/** What the field has understood. */
export interface Token {
  readonly key: string
  /** `Player Robin (261)` */
  readonly label: string
}

/** What the text in the field can mean. */
interface Suggestion {
  readonly kind: string
  readonly label: string
  /** Details that tell similar ones apart. */
  readonly note: string
}

/** What was found for the text in the field. */
export interface Suggestions<Meaning> {
  readonly meanings: readonly Meaning[]
  readonly isLoading: boolean
  readonly hasFailed: boolean
}

/**
 * The text of a token field, until it was understood.
 * @param resolve finds out what the text means, and returns a function that adds it to the tokens
 */
export function useTokenText(resolve: (text: string) => Promise<() => void>) {
  const [text, setText] = useState('')
  const [isResolving, setIsResolving] = useState(false)
  const submit = async () => {
    const submitted = text.trim()
    if (submitted === '' || isResolving) return
    setIsResolving(true)
    try {
      const addTokens = await resolve(submitted)
      // What was typed in the meantime stays.
      setText((current) => (current.trim() === submitted ? '' : current))
      addTokens()
    } catch (error) {
      notifyError(error)
    } finally {
      setIsResolving(false)
    }
  }
  return {
    text,
    setText,
    isResolving,
    /** Applies the text as it is: on Enter without a highlighted suggestion, or when the field loses focus. */
    submit: () => void submit(),
  }
}

interface Props<Meaning extends Suggestion> {
  readonly label: string
  readonly placeholder: string
  readonly tokens: readonly Token[]
  readonly removeToken: (key: string) => void
  readonly input: ReturnType<typeof useTokenText>
  readonly suggestions: Suggestions<Meaning>
  readonly select: (meaning: Meaning) => void
  /** Shown if nothing matches the text. */
  readonly noMatch: string
}

const toKey = ({ kind, label }: Suggestion): string => `${kind}:${label}`

const SEARCH_FAILED = 'The search failed. Press Enter to try again.'

/** A text field with suggestions that shows what it has understood as removable tokens. */
export function TokenField<Meaning extends Suggestion>(props: Props<Meaning>) {
  const { label, placeholder, tokens, removeToken, input, suggestions, select, noMatch } = props
  const { text, setText, submit } = input
  const { meanings, hasFailed } = suggestions
  const isLoading = suggestions.isLoading || input.isResolving
  const field = useRef<HTMLInputElement>(null)
  const [isHighlighted, setIsHighlighted] = useState(false)
  const combobox = useCombobox({
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const isOpen = combobox.dropdownOpened && text.trim() !== ''
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setIsHighlighted(true)
    else if (event.key === 'Enter') {
      if (isOpen && isHighlighted && combobox.getSelectedOptionIndex() >= 0) return
      event.preventDefault()
      event.stopPropagation()
      submit()
    } else if (event.key === 'Backspace' && text === '') {
      const last = tokens.at(-1)
      if (last) removeToken(last.key)
    } else setIsHighlighted(false)
  }
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(key) => {
        setIsHighlighted(false)
        const meaning = meanings.find((candidate) => toKey(candidate) === key)
        if (!meaning) return
        setText('')
        select(meaning)
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput label={label} rightSection={isLoading ? <Loader size="xs" /> : null}>
          <Pill.Group>
            {tokens.map((token) => (
              <Pill
                key={token.key}
                withRemoveButton
                onRemove={() => removeToken(token.key)}
                removeButtonProps={{
                  'aria-label': `Remove ${token.label}`,
                  'aria-hidden': false,
                  tabIndex: 0,
                  // The focus is not lost with the button that has it.
                  onClick: ({ currentTarget }) => {
                    if (document.activeElement === currentTarget) field.current?.focus()
                  },
                }}
                className={classes.token}
              >
                {token.label}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                {...plainTextProps}
                ref={field}
                autoComplete="off"
                aria-label={label}
                placeholder={tokens.length === 0 ? placeholder : undefined}
                value={text}
                onChange={(event) => {
                  setText(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => {
                  combobox.closeDropdown()
                  submit()
                }}
                onKeyDown={handleKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options aria-label={`${label}: suggestions`} mah={320} className={classes.options}>
          {meanings.map((meaning) => (
            <Combobox.Option key={toKey(meaning)} value={toKey(meaning)}>
              <bdi>{meaning.label}</bdi>
              {meaning.note === '' ? null : <span className={classes.note}> {meaning.note}</span>}
            </Combobox.Option>
          ))}
          {isOpen && meanings.length === 0 ? (
            <Combobox.Empty>{isLoading ? 'Searching…' : hasFailed ? SEARCH_FAILED : noMatch}</Combobox.Empty>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
