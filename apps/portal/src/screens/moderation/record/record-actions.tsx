import { Button, Group } from '@mantine/core'
import { isSanctionKind } from '@reeve/core'
import {
  IconArrowBackUp,
  IconClock,
  IconEraser,
  IconEyeCheck,
  IconLockOpen,
  IconPencil,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useWorkspace } from '../../../api/me.ts'
import { WriteGuard } from '../../../components/endpoint-state.tsx'
import { loadOnOpen } from '../../../components/load-on-open.tsx'
import { formatPlayerName } from '../../../format/player-name.ts'
import { openLiftDialog } from '../lift-dialog.tsx'
import { findOpenAppeal } from '../player/open-appeal.tsx'
import type { ModerationRecord, PlayerSummary } from '../queries.ts'
import { openAcknowledgeDialog, openRedactDialog, openRevokeDialog } from './confirm-dialogs.tsx'
import classes from './record.module.css'
import { getRecordPermissions } from './record-permissions.ts'

const EditDialog = loadOnOpen(
  async () => (await import('./edit-dialog.tsx')).EditDialog,
  ({ isOpen }) => isOpen,
  ({ onClose }) => onClose(),
)
const ExpiryDialog = loadOnOpen(
  async () => (await import('./expiry-dialog.tsx')).ExpiryDialog,
  ({ isOpen }) => isOpen,
  ({ onClose }) => onClose(),
)

const ICON_SIZE = 16

/** The buttons for what the user can do with a record. */
export function RecordActions(props: {
  readonly record: ModerationRecord
  /** Null while the player is not known. */
  readonly player: PlayerSummary | null
}) {
  const { record, player } = props
  const playerLabel = formatPlayerName(player ?? record)
  const workspace = useWorkspace()
  const { id: workspaceId } = workspace
  const [openDialog, setOpenDialog] = useState<'edit' | 'expiry' | null>(null)
  const close = () => setOpenDialog(null)
  const allowed = getRecordPermissions(record, workspace)
  const { action } = record
  // A form that is open stays, with what was typed.
  const isEditing = openDialog === 'edit'
  if (!isEditing && !Object.values(allowed).some(Boolean)) return null
  return (
    <Group gap="xs" className={classes.actions} data-no-print role="group" aria-label="Case actions">
      {allowed.edit ? (
        <WriteGuard endpoint="moderation">
          <Button
            variant="default"
            leftSection={<IconPencil size={ICON_SIZE} aria-hidden />}
            onClick={() => setOpenDialog('edit')}
          >
            Edit
          </Button>
        </WriteGuard>
      ) : null}
      {allowed.changeExpiry ? (
        <WriteGuard endpoint="moderation">
          <Button
            variant="default"
            leftSection={<IconClock size={ICON_SIZE} aria-hidden />}
            onClick={() => setOpenDialog('expiry')}
          >
            Change expiry
          </Button>
        </WriteGuard>
      ) : null}
      {allowed.acknowledge ? (
        <WriteGuard endpoint="moderation">
          <Button
            variant="default"
            leftSection={<IconEyeCheck size={ICON_SIZE} aria-hidden />}
            onClick={() => openAcknowledgeDialog(workspaceId, record, playerLabel)}
          >
            Mark as seen
          </Button>
        </WriteGuard>
      ) : null}
      {allowed.lift && isSanctionKind(action) ? (
        <WriteGuard endpoint="moderation">
          <Button
            variant="default"
            leftSection={<IconLockOpen size={ICON_SIZE} aria-hidden />}
            onClick={() => openLiftDialog(workspaceId, playerLabel, action, record, player)}
          >
            Lift the {action}
          </Button>
        </WriteGuard>
      ) : null}
      {allowed.revoke ? (
        <WriteGuard endpoint="moderation">
          <Button
            variant="default"
            leftSection={<IconArrowBackUp size={ICON_SIZE} aria-hidden />}
            onClick={() =>
              openRevokeDialog(
                workspaceId,
                record,
                playerLabel,
                findOpenAppeal(player, record.id) !== undefined,
              )
            }
          >
            Revoke
          </Button>
        </WriteGuard>
      ) : null}
      {allowed.redact ? (
        <WriteGuard endpoint="moderation">
          <Button
            variant="light"
            color="red"
            leftSection={<IconEraser size={ICON_SIZE} aria-hidden />}
            onClick={() => openRedactDialog(workspaceId, record, playerLabel)}
          >
            Redact
          </Button>
        </WriteGuard>
      ) : null}
      {allowed.edit || isEditing ? (
        <EditDialog
          record={record}
          playerLabel={playerLabel}
          canEdit={allowed.edit}
          isOpen={isEditing}
          onClose={close}
        />
      ) : null}
      {allowed.changeExpiry ? (
        <ExpiryDialog
          record={record}
          playerLabel={playerLabel}
          isOpen={openDialog === 'expiry'}
          onClose={close}
        />
      ) : null}
    </Group>
  )
}
