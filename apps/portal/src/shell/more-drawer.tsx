import { Drawer } from '@mantine/core'
import type { NavigationSection } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'

interface Props {
  readonly sections: readonly NavigationSection[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** All navigation items, on a phone. */
export const MoreDrawer = ({ sections, isOpen, onClose }: Props) => (
  <Drawer
    opened={isOpen}
    onClose={onClose}
    position="bottom"
    size="auto"
    title="Sections"
    closeButtonProps={{ 'aria-label': 'Close' }}
  >
    <nav aria-label="All sections">
      <NavigationList sections={sections} onNavigate={onClose} />
    </nav>
  </Drawer>
)
