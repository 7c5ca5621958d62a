import { ActionIcon, Menu } from '@mantine/core'
import { IconArchive, IconDots, IconEdit } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { WriteGuard } from '../../components/endpoint-state.tsx'

interface Props {
  readonly name: string
  readonly edit: () => void
  readonly archive: () => void
  /** Further items. */
  readonly children?: ReactNode
}

/** What can be done with a template or ladder. */
export const RuleMenu = ({ name, edit, archive, children }: Props) => (
  <Menu position="bottom-end" width={220} returnFocus>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Change ${name}`}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <RuleMenuItem icon={<IconEdit size={16} stroke={1.7} aria-hidden />} onClick={edit}>
        Edit
      </RuleMenuItem>
      {children}
      <RuleMenuItem icon={<IconArchive size={16} stroke={1.7} aria-hidden />} onClick={archive}>
        Archive…
      </RuleMenuItem>
    </Menu.Dropdown>
  </Menu>
)

interface ItemProps {
  readonly icon: ReactNode
  readonly onClick: () => void
  readonly isDisabled?: boolean
  readonly children: ReactNode
}

export const RuleMenuItem = ({ icon, onClick, isDisabled = false, children }: ItemProps) => (
  <WriteGuard endpoint="moderation" isMenuItem>
    <Menu.Item leftSection={icon} onClick={onClick} disabled={isDisabled}>
      {children}
    </Menu.Item>
  </WriteGuard>
)
