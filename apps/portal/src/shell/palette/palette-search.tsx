import { Button, CloseButton, Group, Loader, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { pluralize } from '../../format/number.ts'
import { plainTextProps } from '../../forms/text-fields.tsx'
import { replaceProfileLink } from '../../screens/moderation/player/player-lookup.ts'
import classes from './palette.module.css'
import { isStrongMatch, type PaletteItem } from './palette-item.ts'
import { PaletteList, toOptionId } from './palette-list.tsx'
import { rememberItem } from './recent-items.ts'
import { usePaletteGroups } from './use-palette-groups.ts'

interface Props {
  readonly text: string
  readonly setText: (text: string) => void
  readonly onReady: () => void
  readonly close: () => void
  readonly choose: (item: PaletteItem) => void
  readonly isPhone: boolean
}

/** The field and the results of the command palette: a combobox whose list is always open. */
export function PaletteSearch(props: Props) {
  const { text, setText, onReady, close, choose, isPhone } = props
  const { groups, hits, me, workspace } = usePaletteGroups(text)
  const items = groups.flatMap((group) => group.items)
  const listId = useId()
  const [activeId, setActiveId] = useState<string | null>(null)
  const activeItem = items.find(({ id }) => id === activeId) ?? items[0]
  const [isEnterPending, setIsEnterPending] = useState(false)

  const submit = (item: PaletteItem) => {
    setIsEnterPending(false)
    rememberItem(me.id, workspace, item)
    choose(item)
  }
  const change = (next: string) => {
    setText(workspace ? replaceProfileLink(next, workspace) : next)
    setActiveId(null)
    setIsEnterPending(false)
  }
  useEffect(() => {
    if (!isEnterPending || !hits.isCurrent) return
    if (activeItem) submit(activeItem)
    else setIsEnterPending(false)
  })
  const moveTo = (index: number) => {
    const next = items[(index + items.length) % items.length]
    setIsEnterPending(false)
    setActiveId(next?.id ?? null)
    if (next) document.getElementById(toOptionId(listId, next))?.scrollIntoView({ block: 'nearest' })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const index = activeItem ? items.indexOf(activeItem) : -1
    if (event.key === 'ArrowDown') moveTo(index + 1)
    else if (event.key === 'ArrowUp') moveTo(index - 1)
    else if (event.key === 'Enter') {
      // Until the server has answered, the first row is only what was meant if its name begins like the text.
      const isSure = hits.isCurrent || activeId !== null || (activeItem && isStrongMatch(activeItem, text))
      if (activeItem && isSure) submit(activeItem)
      else setIsEnterPending(true)
    } else return
    event.preventDefault()
  }

  return (
    <>
      <Group gap="xs" wrap="nowrap" className={classes.field}>
        <TextInput
          {...plainTextProps}
          data-autofocus
          flex={1}
          size="md"
          variant="unstyled"
          role="combobox"
          aria-label="Commands"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={activeItem ? toOptionId(listId, activeItem) : undefined}
          autoComplete="off"
          enterKeyHint="go"
          placeholder={workspace ? 'Find anything, or do something' : 'Go to a page, or do something'}
          leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
          rightSection={hits.isCurrent || hits.hasFailed ? null : <Loader size={16} aria-hidden />}
          value={text}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={handleKeyDown}
          onFocus={onReady}
        />
        {isPhone ? <CloseButton aria-label="Close" size="lg" onClick={close} /> : null}
      </Group>
      <VisuallyHidden role="status">
        {text !== '' && hits.isCurrent ? pluralize(items.length, 'result') : ''}
      </VisuallyHidden>
      {hits.hasFailed ? (
        <Group role="alert" justify="space-between" className={classes.note}>
          <Text size="sm">The workspace could not be searched.</Text>
          <Button size="xs" variant="default" onClick={hits.retry}>
            Try again
          </Button>
        </Group>
      ) : null}
      <PaletteList
        id={listId}
        groups={groups}
        activeItem={activeItem}
        choose={submit}
        activate={({ id }) => setActiveId(id)}
      />
      {items.length === 0 && hits.isCurrent && !hits.hasFailed ? (
        <Text size="sm" c="dimmed" className={classes.note}>
          No results. Names, case numbers and player IDs are searched.
        </Text>
      ) : null}
    </>
  )
}
