import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useRef } from 'react'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { playerSearchAttribute } from './focus-player-search.ts'
import classes from './player-search.module.css'
import type { PlayerSearch } from './use-player-search.ts'

interface Props extends Pick<TextInputProps, 'size' | 'autoFocus'> {
  readonly search: PlayerSearch
  readonly label: string
  readonly placeholder: string
  /** Shown while the field is empty. */
  readonly hint?: TextInputProps['rightSection']
}

/** The field of a player search. */
export function PlayerSearchField({ search, label, hint = null, ...inputProps }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <search>
      <form onSubmit={(event) => void search.submit(event)}>
        <TextInput
          {...playerSearchAttribute}
          {...plainTextProps}
          {...inputProps}
          ref={input}
          classNames={{ input: classes.input ?? '' }}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          aria-label={label}
          data-autofocus={inputProps.autoFocus || undefined}
          leftSection={<IconSearch size={inputProps.size === 'lg' ? 20 : 16} stroke={1.7} aria-hidden />}
          rightSection={
            search.text === '' ? (
              hint
            ) : (
              <CloseButton
                size={inputProps.size === 'lg' ? 'md' : 'sm'}
                aria-label="Clear the search"
                onClick={() => {
                  search.clear()
                  input.current?.focus()
                }}
              />
            )
          }
          value={search.text}
          onChange={(event) => search.change(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The shortcut that focuses this field.
            if (event.key === '/' && search.text === '') event.preventDefault()
          }}
        />
      </form>
    </search>
  )
}
