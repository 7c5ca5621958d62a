import { Loader, Text } from '@mantine/core'
import { describeAccountAction } from '../../components/account-action-labels.ts'
import { DetailsButton } from '../../components/details-button.tsx'
import { FormattedTime, RelativeTimeSuffix } from '../../components/formatted-time.tsx'
import { Initials } from '../../components/initials.tsx'
import { loadInPlace } from '../../components/load-in-place.tsx'
import classes from './operator.module.css'
import type { InstanceAuditEntry } from './operator-data.ts'

// Opened rarely, and it brings the fields of cases.
const Changes = loadInPlace(async () => (await import('../audit/changes.tsx')).Changes, <Loader size="sm" />)

interface Props {
  readonly entry: InstanceAuditEntry
  readonly isOpen: boolean
  readonly toggle: () => void
}

/** One change of the instance: actor, action and account, and its details when expanded. */
export function InstanceEntry({ entry, isOpen, toggle }: Props) {
  const { id, at, action, actorName, address, requestId, targetId, sequence, hash } = entry
  const target = toTargetName(entry)
  const sentence = `${actorName} ${describeAccountAction(action)} ${target}`
  return (
    <article aria-label={sentence}>
      <div className={classes.row}>
        <Initials name={actorName} size={32} />
        <div className={classes.text}>
          <Text size="sm" component="p" m={0}>
            <Text component="bdi" size="sm" fw={600}>
              {actorName}
            </Text>{' '}
            {describeAccountAction(action)}{' '}
            <Text component="bdi" size="sm" fw={600}>
              {target}
            </Text>
          </Text>
          <Text size="xs" c="dimmed">
            <FormattedTime value={at} format="dateTime" />
            <RelativeTimeSuffix value={at} />
            {address === '' ? null : ` · ${address}`}
          </Text>
        </div>
        <DetailsButton
          label={`Details: ${sentence}`}
          controls={`entry-${id}`}
          isOpen={isOpen}
          toggle={toggle}
        />
      </div>
      {isOpen ? (
        <div id={`entry-${id}`} className={classes.details}>
          <Changes changes={entry.changes} targetKind={entry.targetKind} />
          <Text size="xs" c="dimmed" mt="xs">
            Request {requestId === '' ? 'none' : requestId} · target {targetId} · sequence {sequence}, hash{' '}
            <span title={hash}>{hash.slice(0, 12)}…</span>
          </Text>
        </div>
      ) : null}
    </article>
  )
}

/** The name of what an entry is about. */
function toTargetName({ targetKind, targetName, changes }: InstanceAuditEntry): string {
  const fields = { ...(changes?.before as object | null), ...(changes?.after as object | null) } as {
    readonly username?: unknown
    readonly groupName?: unknown
  }
  const logged = fields.username ?? fields.groupName
  if (typeof logged === 'string') return logged
  return targetName ?? fallbackNames[targetKind] ?? targetKind.replaceAll('_', ' ')
}

const fallbackNames: Readonly<Record<string, string>> = {
  account: 'an account',
  session: 'a session',
  username: 'an unknown username',
  workspace: 'a workspace',
  report: 'a report',
  audit_log: 'the audit log',
}
