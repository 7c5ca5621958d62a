import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** Stands where a screen will be, in about its shape. */
export const ScreenSkeleton = () => (
  <Stack gap="md" p="md" aria-busy="true">
    <VisuallyHidden role="status">Loading…</VisuallyHidden>
    <Skeleton h={28} w="min(16rem, 60%)" />
    <Skeleton h={96} />
    <Skeleton h={96} />
    <Skeleton h={96} />
  </Stack>
)
