import { Button, Group } from '@mantine/core'
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
import type { Entry } from '../data.ts'
import { askToLift } from '../lift.tsx'
import { isRestraint } from '../words.ts'
import { askAcknowledged, askToRedact, askToRevoke } from './asks.tsx'
import classes from './case.module.css'
import { EditDialog } from './edit-dialog.tsx'
import { EndDialog } from './end-dialog.tsx'
import { rightsOn } from './rights.ts'

const ICON = 16

/** What this reader may do with a record as it stands. */
export function CaseActions(props: { readonly record: Entry; readonly who: string }) {
  const { record, who } = props
  const workspace = useWorkspace()
  const { id: workspaceId } = workspace
  const [open, setOpen] = useState<'edit' | 'end' | null>(null)
  const close = () => setOpen(null)
  const may = rightsOn(record, workspace)
  const { action } = record
  if (!Object.values(may).some(Boolean)) return null
  return (
    <Group gap="xs" className={classes.actions} role="group" aria-label="What to do with this case">
      {may.edit ? (
        <Button
          variant="default"
          leftSection={<IconPencil size={ICON} aria-hidden />}
          onClick={() => setOpen('edit')}
        >
          Edit
        </Button>
      ) : null}
      {may.moveEnd ? (
        <Button
          variant="default"
          leftSection={<IconClock size={ICON} aria-hidden />}
          onClick={() => setOpen('end')}
        >
          Change the end
        </Button>
      ) : null}
      {may.acknowledge ? (
        <Button
          variant="default"
          leftSection={<IconEyeCheck size={ICON} aria-hidden />}
          onClick={() => askAcknowledged(workspaceId, record, who)}
        >
          Seen by the player
        </Button>
      ) : null}
      {may.lift && isRestraint(action) ? (
        <Button
          variant="default"
          leftSection={<IconLockOpen size={ICON} aria-hidden />}
          onClick={() => askToLift(workspaceId, who, action, record)}
        >
          Lift the {action}
        </Button>
      ) : null}
      {may.revoke ? (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={ICON} aria-hidden />}
          onClick={() => askToRevoke(workspaceId, record, who)}
        >
          Take back
        </Button>
      ) : null}
      {may.redact ? (
        <Button
          variant="light"
          color="red"
          leftSection={<IconEraser size={ICON} aria-hidden />}
          onClick={() => askToRedact(workspaceId, record, who)}
        >
          Redact
        </Button>
      ) : null}
      {may.edit ? <EditDialog record={record} who={who} isOpen={open === 'edit'} onClose={close} /> : null}
      {may.moveEnd ? <EndDialog record={record} who={who} isOpen={open === 'end'} onClose={close} /> : null}
    </Group>
  )
}
