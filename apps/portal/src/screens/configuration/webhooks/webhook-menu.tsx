import { ActionIcon, Menu } from '@mantine/core'
import {
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { DangerMenuItem } from '../../../components/danger-menu-item.tsx'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import type { Webhook } from './webhook-data.ts'

const iconProps = { size: 16, stroke: 1.7, 'aria-hidden': true } as const

interface Props {
  readonly webhook: Webhook
  readonly edit: () => void
  readonly rotate: () => void
  readonly resendSince: () => void
  readonly pause: () => void
  /** Null if the user must not resume it. */
  readonly resume: (() => void) | null
  readonly remove: () => void
}

/** What can be done with a webhook, besides testing it. */
export const WebhookMenu = ({ webhook, edit, rotate, resendSince, pause, resume, remove }: Props) => (
  <Menu position="bottom-end" width={240}>
    <Menu.Target>
      <ActionIcon variant="default" size={36} aria-label={`Change ${webhook.name}`}>
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Item icon={<IconPencil {...iconProps} />} onClick={edit}>
        Edit
      </Item>
      {webhook.state === 'active' ? (
        <Item icon={<IconPlayerPause {...iconProps} />} onClick={pause}>
          Pause
        </Item>
      ) : resume === null ? null : (
        <Item icon={<IconPlayerPlay {...iconProps} />} onClick={resume}>
          {webhook.health === 'unconfirmed' ? 'Confirm' : 'Resume'}
        </Item>
      )}
      <Item icon={<IconSend {...iconProps} />} onClick={resendSince}>
        Resend since…
      </Item>
      {webhook.kind === 'standard' ? (
        <Item icon={<IconRefresh {...iconProps} />} onClick={rotate}>
          Rotate secret
        </Item>
      ) : null}
      <DangerMenuItem leftSection={<IconTrash {...iconProps} />} onClick={remove}>
        Delete…
      </DangerMenuItem>
    </Menu.Dropdown>
  </Menu>
)

interface ItemProps {
  readonly icon: ReactNode
  readonly onClick: () => void
  readonly children: ReactNode
}

/** An item that an archived workspace disables. */
const Item = ({ icon, onClick, children }: ItemProps) => (
  <WriteGuard endpoint={null} isMenuItem>
    <Menu.Item leftSection={icon} onClick={onClick}>
      {children}
    </Menu.Item>
  </WriteGuard>
)
