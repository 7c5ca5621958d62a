import { Alert, Button, Group, List, Progress, Text } from '@mantine/core'
import { IconExclamationMark } from '@tabler/icons-react'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { openConfirmDialog } from '../../components/confirm-dialog.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { Entries } from './entries.tsx'
import {
  applyImport,
  cancelImport,
  countCreated,
  formatFormat,
  type Import,
  isUnfinished,
  listResults,
  useRefreshImports,
} from './import-data.ts'

interface Props {
  readonly current: Import
}

/** What an import does, or what it has done. */
export function ImportCard({ current }: Props) {
  const { fileName, dryRun, format } = current
  const subject = dryRun === 'true' ? `Check of ${fileName}` : `Import of ${fileName}`
  return (
    <Card title={subject}>
      <Text size="sm" c="dimmed" mb="sm">
        {formatFormat(format)}
      </Text>
      {isUnfinished(current) ? <Unfinished current={current} /> : <Finished current={current} />}
    </Card>
  )
}

const STATES: Readonly<Record<string, string>> = {
  receiving: 'Waiting for the file',
  queued: 'Waiting for another import',
}

function Unfinished({ current }: Props) {
  const { id: workspaceId } = useWorkspace()
  const refresh = useRefreshImports(workspaceId)
  const { id, fileName, state, dryRun, processed, progress } = current
  const percent = Math.floor(Number(progress) * 100)
  const what = STATES[state] ?? `${pluralize(Number(processed), 'entry', 'entries')} read`
  const noun = dryRun === 'true' ? 'check' : 'import'
  const cancel = () =>
    openConfirmDialog({
      title: `Cancel the ${noun} of ${fileName}?`,
      confirmLabel: `Stop the ${noun}`,
      cancelLabel: 'Keep running',
      children:
        dryRun === 'true'
          ? 'Nothing has been changed.'
          : 'The records that it has created so far stay. If you import the file again, it continues after them.',
      run: async () => {
        await cancelImport(workspaceId, id)
        await refresh()
        notifySuccess(`Cancelled the ${noun} of ${fileName}.`)
      },
    })
  return (
    <>
      <Progress.Root
        role="progressbar"
        aria-label={`Progress of ${fileName}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${what} · ${percent}%`}
      >
        <Progress.Section value={percent} withAria={false} />
      </Progress.Root>
      <Text size="sm" c="dimmed" mt={4} role="status">
        {what} · {percent}%
      </Text>
      <Group mt="md">
        <Button variant="default" onClick={cancel}>
          Cancel…
        </Button>
      </Group>
    </>
  )
}

function Finished({ current }: Props) {
  const { id: workspaceId } = useWorkspace()
  const refresh = useRefreshImports(workspaceId)
  const { id, fileName, state, error, warning, canBeApplied } = current
  const [created, lifted] = [countCreated(current), Number(current.lifted)]
  const records = pluralize(created + lifted, 'record')
  const apply = () =>
    openConfirmDialog({
      title: `Import ${records}?`,
      confirmLabel: 'Import',
      children: [
        created > 0
          ? `${pluralize(created, 'record')} of ${fileName} will be created. Bans and mutes that are still active apply in your game at once.`
          : '',
        lifted > 0
          ? `${pluralize(lifted, 'record')} of earlier imports will be lifted, because ${fileName} says so.`
          : '',
      ]
        .filter((sentence) => sentence !== '')
        .join(' '),
      run: async () => {
        await applyImport(workspaceId, id)
        await refresh()
      },
    })
  return (
    <>
      {state === 'failed' ? (
        <Alert
          color="red"
          mb="sm"
          icon={<IconExclamationMark size={18} aria-hidden />}
          title="The import failed"
        >
          {error}
        </Alert>
      ) : null}
      {warning === null ? null : (
        <Alert color="yellow" mb="sm" icon={<IconExclamationMark size={18} aria-hidden />}>
          {warning}
        </Alert>
      )}
      {state === 'cancelled' ? <Text>The import was cancelled.</Text> : null}
      <div role="status">
        <List>
          {listResults(current).map((result) => (
            <List.Item key={result}>{result}</List.Item>
          ))}
        </List>
      </div>
      {canBeApplied === 'true' && created + lifted > 0 ? (
        <Group mt="md">
          <WriteGuard endpoint="moderation">
            <Button onClick={apply}>Import {records}…</Button>
          </WriteGuard>
        </Group>
      ) : null}
      <Entries current={current} />
    </>
  )
}
