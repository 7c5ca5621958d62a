import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** A placeholder for a screen that is loading. */
export const ScreenSkeleton = () => (
  <Stack gap="md" p="md" aria-busy="true">
    <VisuallyHidden role="status">Loading…</VisuallyHidden>
    <Skeleton h={28} w="min(16rem, 60%)" />
    <Skeleton h={96} />
    <Skeleton h={96} />
    <Skeleton h={96} />
  </Stack>
)
