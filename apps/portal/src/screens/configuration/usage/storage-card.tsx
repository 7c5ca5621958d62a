import { Alert, Progress, Text } from '@mantine/core'
import { QUOTA_WARNING_PERCENT, type StorageKind, storageKinds } from '@reeve/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Card } from '../../../components/card.tsx'
import { formatBytes } from '../../../format/number.ts'
import classes from './usage.module.css'
import type { StorageState } from './usage-data.ts'

const kindInfo: Readonly<Record<StorageKind, { readonly label: string; readonly color: string }>> = {
  records: { label: 'Cases and audit log', color: 'green.6' },
  images: { label: 'Event images', color: 'blue.6' },
  evidence: { label: 'Evidence files', color: 'grape.6' },
  archives: { label: 'Archives', color: 'orange.6' },
  responses: { label: 'Responses stored for retries', color: 'gray.6' },
}

/** `green.6` as a CSS color. */
const toCssColor = (color: string): string => `var(--mantine-color-${color.replace('.', '-')})`

/** The storage that a workspace uses, by kind, and its quota. */
export function StorageCard({ storage }: { readonly storage: StorageState }) {
  const used = Number(storage.bytes)
  const limit = storage.limit === null ? null : Number(storage.limit)
  // Without a quota, the bar shows the shares of what is used.
  const whole = Math.max(used, limit ?? 0, 1)
  return (
    <Card title="Storage">
      <Text fz={28} fw={650} lh={1.2}>
        {formatBytes(used)}
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        {limit === null ? 'used, no storage quota' : `of the storage quota of ${formatBytes(limit)}`}
      </Text>
      <Progress.Root
        role="progressbar"
        aria-label="Used storage"
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={used}
        aria-valuetext={limit === null ? formatBytes(used) : `${formatBytes(used)} of ${formatBytes(limit)}`}
      >
        {storageKinds.map((kind) => (
          <Progress.Section
            key={kind}
            withAria={false}
            value={(Number(storage[kind]) / whole) * 100}
            color={kindInfo[kind].color}
          />
        ))}
      </Progress.Root>
      <dl className={classes.kinds}>
        {storageKinds.map((kind) => (
          <div key={kind}>
            <span
              aria-hidden
              className={classes.dot}
              style={{ background: toCssColor(kindInfo[kind].color) }}
            />
            <dt>{kindInfo[kind].label}</dt>
            <dd>{formatBytes(storage[kind])}</dd>
          </div>
        ))}
      </dl>
      {limit === null ? null : <StorageWarning percentUsed={(used / limit) * 100} />}
    </Card>
  )
}

function StorageWarning({ percentUsed }: { readonly percentUsed: number }) {
  if (percentUsed < QUOTA_WARNING_PERCENT) return null
  const isUsedUp = percentUsed >= 100
  const rejected = 'images, archives, copies, imports, notes, comments and evidence are rejected'
  const accepted = 'Bans and other moderation actions are still accepted'
  return (
    <Alert
      mt="md"
      color={isUsedUp ? 'red' : 'yellow'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={isUsedUp ? 'The storage is used up' : `${Math.floor(percentUsed)}% of the storage is used`}
    >
      {isUsedUp ? `Now ${rejected}. ${accepted}.` : `Once it is used up, ${rejected}. ${accepted} then.`}{' '}
      Delete archives that nobody needs any more, or ask an operator of the instance for a higher quota.
    </Alert>
  )
}
