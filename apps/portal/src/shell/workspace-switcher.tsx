import { Badge, Combobox, Text, UnstyledButton, useCombobox, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useMe, useNavigationWorkspace } from '../api/me.ts'
import classes from './workspace-switcher.module.css'

/** The number of workspaces from which on there is a search field. */
const MIN_WORKSPACES_FOR_SEARCH = 6
const NEW = 'new'
const OPERATOR = 'operator'
const ALL = 'all'

/** Shows the current workspace and switches to others. */
export function WorkspaceSwitcher() {
  const { workspaces, isOperator, workspaceCreationProblem } = useMe()
  const currentWorkspace = useNavigationWorkspace()
  const navigate = useNavigate()
  const listId = useId()
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
  })
  const hasSearch = workspaces.length >= MIN_WORKSPACES_FOR_SEARCH
  const searchText = search.trim().toLocaleLowerCase()
  const matches = workspaces.filter(({ groupName }) => groupName.toLocaleLowerCase().includes(searchText))

  const handleSelect = async (value: string) => {
    combobox.closeDropdown()
    if (value === NEW) return navigate({ to: '/workspaces/new' })
    if (value === ALL) return navigate({ to: '/workspaces' })
    if (value === OPERATOR) return navigate({ to: '/operator' })
    return navigate({ to: '/w/$workspaceId', params: { workspaceId: value } })
  }

  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-start"
      onOptionSubmit={(value) => void handleSelect(value)}
    >
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <UnstyledButton
          className={classes.target}
          onClick={() => combobox.toggleDropdown()}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
        >
          <Text component="bdi" truncate fw={600} size="sm">
            {currentWorkspace?.groupName ?? 'Choose a workspace'}
          </Text>
          <VisuallyHidden>{currentWorkspace ? ', switch workspace' : null}</VisuallyHidden>
          <IconChevronDown size={16} aria-hidden className={classes.chevron} />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        {hasSearch ? (
          <Combobox.Search
            role="combobox"
            aria-expanded
            aria-controls={listId}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder="Find a workspace"
            aria-label="Find a workspace"
          />
        ) : null}
        <Combobox.Options
          id={listId}
          className={hasSearch ? classes.scrolled : undefined}
          aria-label="Workspaces"
        >
          {matches.map(({ id, groupName, isArchived }) => (
            <Combobox.Option key={id} value={id} active={id === currentWorkspace?.id}>
              <span className={classes.option}>
                <bdi>{groupName}</bdi>
                {isArchived ? (
                  <Badge size="xs" variant="light" color="gray">
                    Archived
                  </Badge>
                ) : null}
              </span>
            </Combobox.Option>
          ))}
          {matches.length === 0 && workspaces.length > 0 ? (
            <Combobox.Empty>No matching workspaces</Combobox.Empty>
          ) : null}
          <Combobox.Group label="">
            <Combobox.Option value={ALL}>All your workspaces</Combobox.Option>
            {workspaceCreationProblem?.kind === 'operators-only' ? null : (
              <Combobox.Option value={NEW}>Create a workspace</Combobox.Option>
            )}
            {isOperator ? <Combobox.Option value={OPERATOR}>Manage this instance</Combobox.Option> : null}
          </Combobox.Group>
        </Combobox.Options>
        <AfterOpening
          run={() => {
            combobox.focusSearchInput()
            combobox.selectActiveOption()
          }}
        />
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Calls a function when the list is shown, which is later than it opens if its code has to be loaded. */
function AfterOpening({ run }: { readonly run: () => void }): null {
  const handleOpening = useEffectEvent(run)
  useEffect(() => handleOpening(), [])
  return null
}
