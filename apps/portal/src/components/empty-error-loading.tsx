import { Button, Group, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, getErrorMessage } from '../api/error.ts'
import classes from './empty-error-loading.module.css'

interface EmptyProps {
  readonly icon?: Icon
  /** `No departments yet` */
  readonly title: string
  /** What will appear here, and how to create it. */
  readonly children: ReactNode
  /** A button that creates the first item. */
  readonly action?: ReactNode
}

/** Replaces an empty list, and explains what it is for. */
export const EmptyState = ({ icon: Icon, title, children, action }: EmptyProps) => (
  <div className={classes.state}>
    {Icon ? <Icon size={32} stroke={1.4} aria-hidden className={classes.icon} /> : null}
    <Text fw={600}>{title}</Text>
    <Text c="dimmed" size="sm" component="div">
      {children}
    </Text>
    {action ? <Group mt="xs">{action}</Group> : null}
  </div>
)

interface ErrorProps {
  readonly error: unknown
  readonly retry: () => void
  /** What the button says. */
  readonly retryLabel?: string
}

/** Replaces content that could not be loaded, with a retry button. */
export const ErrorState = ({ error, retry, retryLabel = 'Try again' }: ErrorProps) => (
  <div className={classes.state} role="alert">
    <Text fw={600}>Could not load this</Text>
    <Text c="dimmed" size="sm">
      {getErrorMessage(error)}
    </Text>
    {error instanceof ApiError && error.status >= 500 && error.requestId !== '' ? (
      <Text c="dimmed" size="xs">
        Request {error.requestId}
      </Text>
    ) : null}
    <Group mt="xs">
      <Button variant="default" onClick={retry}>
        {retryLabel}
      </Button>
    </Group>
  </div>
)

/** A placeholder for rows that are loading. @param rows how many to show */
export const LoadingRows = ({
  rows = 4,
  height = 56,
}: {
  readonly rows?: number
  readonly height?: number
}) => (
  <Stack gap="xs" aria-busy="true">
    <VisuallyHidden role="status">Loading…</VisuallyHidden>
    {Array.from({ length: rows }, (_, index) => (
      <Skeleton key={index} height={height} />
    ))}
  </Stack>
)
