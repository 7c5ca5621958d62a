import { Button, Group, Text } from '@mantine/core'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../../../api/me.ts'
import { Card } from '../../../components/card.tsx'
import { confirm } from '../../../components/confirm.tsx'
import { PlainTime } from '../../../components/plain-time.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { actOn, useAfterAction, workspaceQuery } from './data.ts'
import { HoldingTable } from './holding.tsx'
import classes from './workspace.module.css'

/** Whether the workspace is in use, and what changes that. */
export function StateCard() {
  const { isArchived } = useWorkspace()
  const may = useMay(isArchived ? 'workspace.restore' : 'workspace.archive')
  if (!may) return null
  return isArchived ? <Archived /> : <InUse />
}

function InUse() {
  const { id, groupName } = useWorkspace()
  const mayRestore = useMay('workspace.restore')
  const after = useAfterAction(id)
  const restore = async () => {
    await actOn({ action: 'restore', id })
    await after()
  }
  const archive = () =>
    confirm({
      title: `Archive ${groupName}?`,
      action: 'Archive the workspace',
      isDestructive: true,
      children: (
        <>
          <HoldingTable workspaceId={id} />
          <ul className={classes.list}>
            <li>All of this is sealed into an archive, with a checksum, that stays in the list below.</li>
            <li>
              Nobody can ban, note or plan anything in it, and neither can an API key: game servers that try
              are refused. Members can still be removed, and keys and invitations ended.
            </li>
            <li>Everything can still be read, and bans in force are still answered to game servers.</li>
            <li>It can be restored at any time.</li>
          </ul>
        </>
      ),
      run: async () => {
        await actOn({ action: 'archive', id })
        await after()
        tellDone(`${groupName} is archived.`, mayRestore ? { label: 'Restore', run: restore } : undefined)
      },
    })
  return (
    <Card title="Archive this workspace">
      <Text size="sm" c="dimmed">
        Seals what it holds, and freezes it: everything stays readable, ban checks are still answered, and
        nothing can be changed until it is restored.
      </Text>
      <Group mt="md">
        <Button
          variant="light"
          color="red"
          leftSection={<IconArchive size={16} aria-hidden />}
          onClick={archive}
        >
          Archive…
        </Button>
      </Group>
    </Card>
  )
}

function Archived() {
  const { id, groupName } = useWorkspace()
  const { data } = useQuery(workspaceQuery(id))
  const after = useAfterAction(id)
  const restore = () =>
    confirm({
      title: `Restore ${groupName}?`,
      action: 'Restore the workspace',
      children: (
        <>
          It is taken back into use as it is. Members and API keys can change it again, as far as they may.
          <HoldingTable workspaceId={id} />
        </>
      ),
      run: async () => {
        await actOn({ action: 'restore', id })
        await after()
        tellDone(`${groupName} is in use again.`)
      },
    })
  return (
    <Card title="Restore this workspace">
      <Text size="sm" c="dimmed">
        {data?.archivedAt ? (
          <>
            Archived <PlainTime at={data.archivedAt} />.{' '}
          </>
        ) : null}
        Take it back into use as it is, or roll it back to one of its archives below.
      </Text>
      <Group mt="md">
        <Button leftSection={<IconArchiveOff size={16} aria-hidden />} onClick={restore}>
          Restore…
        </Button>
      </Group>
    </Card>
  )
}
