import { useMediaQuery } from '@mantine/hooks'

/** Whether the screen is too narrow for a month or week grid with event titles. */
export const useNarrowScreen = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false }) ?? false
