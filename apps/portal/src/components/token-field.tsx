import { Combobox, Loader, Pill, PillsInput, useCombobox } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { plainTextProps } from '../forms/text-fields.tsx'
import classes from './token-field.module.css'

/** What the field has understood. */
export interface Token {
  readonly key: string
  /** `Player Robin · 261` */
  readonly label: string
}

/** What the text in the field can mean. */
export interface Suggestion {
  readonly key: string
  readonly label: string
  /** Details that tell similar ones apart. */
  readonly note: string
  readonly select: () => void
}

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly tokens: readonly Token[]
  readonly removeToken: (key: string) => void
  readonly text: string
  readonly setText: (text: string) => void
  readonly suggestions: readonly Suggestion[]
  readonly isLoading: boolean
  /** Shown if nothing matches the text. */
  readonly noMatch: string
  /** Applies the text as it is: on Enter without a highlighted suggestion, or when the field loses focus. */
  readonly submitText: () => void
}

/** A text field with suggestions that shows what it has understood as removable tokens. */
export function TokenField(props: Props) {
  const { label, placeholder, tokens, removeToken, text, setText, suggestions, isLoading, noMatch } = props
  const [isHighlighted, setIsHighlighted] = useState(false)
  const combobox = useCombobox({
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const isOpen = combobox.dropdownOpened && text.trim() !== ''
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setIsHighlighted(true)
    else if (event.key === 'Enter') {
      if (isOpen && isHighlighted && combobox.getSelectedOptionIndex() >= 0) return
      event.preventDefault()
      event.stopPropagation()
      props.submitText()
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
        suggestions.find((suggestion) => suggestion.key === key)?.select()
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
                }}
                className={classes.token}
              >
                {token.label}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                {...plainTextProps}
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
                  props.submitText()
                }}
                onKeyDown={handleKeyDown}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={!isOpen}>
        <Combobox.Options aria-label={`${label}: suggestions`} mah={320} className={classes.options}>
          {suggestions.map(({ key, label: name, note }) => (
            <Combobox.Option key={key} value={key}>
              <bdi>{name}</bdi>
              {note === '' ? null : <span className={classes.note}> {note}</span>}
            </Combobox.Option>
          ))}
          {isOpen && suggestions.length === 0 ? (
            <Combobox.Empty>{isLoading ? 'Searching…' : noMatch}</Combobox.Empty>
          ) : null}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
