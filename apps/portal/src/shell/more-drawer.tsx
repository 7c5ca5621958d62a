import { BottomDrawer } from '../components/modal.tsx'
import type { NavigationSection } from './navigation.ts'
import { NavigationList } from './navigation-list.tsx'

interface Props {
  readonly sections: readonly NavigationSection[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** All navigation items, on a phone. */
export const MoreDrawer = ({ sections, isOpen, onClose }: Props) => (
  <BottomDrawer opened={isOpen} onClose={onClose} size="auto" title="Sections">
    <nav aria-label="All sections">
      <NavigationList sections={sections} onNavigate={onClose} />
    </nav>
  </BottomDrawer>
)
