import { ActionIcon, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'

/** Marks a player search field for the `/` shortcut. */
export const playerSearchAttribute = { 'data-player-search': '' } as const

/** Focuses the player search field of the screen or, if it has none, of the header. */
export function focusPlayerSearch(): void {
  const inputs = [...document.querySelectorAll<HTMLElement>('[data-player-search]')]
  const visibleInputs = inputs.filter((input) => input.checkVisibility())
  const target = visibleInputs.find((input) => input.closest('main')) ?? visibleInputs[0]
  target?.focus()
  if (target instanceof HTMLInputElement) target.select()
}

/** The player search in the header: a field or, on a phone, a link to the search screen. */
export function HeaderPlayerSearch({ workspaceId }: { readonly workspaceId: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    const q = text.trim()
    if (q === '') return
    setText('')
    await navigate({ to: '/w/$workspaceId/moderation', params: { workspaceId }, search: { q } })
  }
  return (
    <>
      <form onSubmit={(event) => void handleSubmit(event)}>
        <TextInput
          {...playerSearchAttribute}
          visibleFrom="sm"
          w={230}
          size="sm"
          type="search"
          placeholder="Find a player"
          aria-label="Find a player by ID or name"
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={text === '' ? <Kbd size="xs">/</Kbd> : null}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <ActionIcon
        {...playerSearchAttribute}
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Find a player"
        component={Link}
        to={`/w/${workspaceId}/moderation`}
      >
        <IconSearch size={20} stroke={1.7} />
      </ActionIcon>
    </>
  )
}
