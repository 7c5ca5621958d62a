import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconEraser } from '@tabler/icons-react'
import { startDownload, verifyBeforeDownload } from '../../../api/download.ts'
import { useWorkspace } from '../../../api/me.ts'
import { loadCode } from '../../../app/load-code.ts'
import { stringifySearchParams } from '../../../app/search-params.ts'
import { DangerMenuItem } from '../../../components/danger-menu-item.tsx'
import { openModal } from '../../../components/modals.tsx'
import { notifyError } from '../../../components/toast.tsx'

/** What can be done with everything that is stored about a player: download or erase it. Nothing for those who may do neither. */
export function PlayerMenu({ userId }: { readonly userId: string }) {
  const { id: workspaceId, permissions } = useWorkspace()
  const canExport = permissions.has('moderation.export')
  const canErase = permissions.has('moderation.erase')
  if (!canExport && !canErase) return null
  const download = () => {
    const query = stringifySearchParams({ workspaceId, userId })
    verifyBeforeDownload().then(() => startDownload(`/portal/api/player-data.json${query}`), notifyError)
  }
  return (
    <Menu position="bottom-end" width={220} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Data of this player">
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canExport ? (
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
            Download data
          </Menu.Item>
        ) : null}
        {canErase ? (
          <DangerMenuItem
            leftSection={<IconEraser size={16} aria-hidden />}
            onClick={() => openEraseDialog(workspaceId, userId)}
          >
            Erase…
          </DangerMenuItem>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

function openEraseDialog(workspaceId: string, userId: string): void {
  loadCode(() => import('./erase-form.tsx')).then(
    ({ EraseForm }) =>
      openModal({
        title: `Erase ${userId}?`,
        closeOnClickOutside: false,
        render: (close) => <EraseForm workspaceId={workspaceId} userId={userId} close={close} />,
      }),
    notifyError,
  )
}
