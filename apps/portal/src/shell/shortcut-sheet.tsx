import { Divider, Text } from '@mantine/core'
import { usePreferences } from '../app/preferences.ts'
import { createStore } from '../app/store.ts'
import { Dialog } from '../components/dialog.tsx'
import { KeyLabel } from '../components/key-label.tsx'
import { type Shortcut, useShortcutList } from '../components/shortcuts.ts'
import { SingleKeySwitch } from '../components/single-key-switch.tsx'
import classes from './shortcut-sheet.module.css'

const openness = createStore(false)

/** Opens the sheet from anywhere, such as a menu. */
export const openShortcutSheet = (): void => openness.set(true)

/** Every shortcut that works on the present screen, and the switch for single keys. */
export function ShortcutSheet() {
  const isOpen = openness.useValue()
  return (
    <Dialog opened={isOpen} onClose={() => openness.set(false)} title="Keyboard shortcuts">
      <ShortcutGroups />
      <Divider my="md" />
      <SingleKeySwitch />
    </Dialog>
  )
}

/** Whether a shortcut is one key without modifiers that a person can press by accident. */
const isSingleCharacter = ({ keys }: Shortcut): boolean => keys.length === 1 && keys[0]?.length === 1

function ShortcutGroups() {
  const { singleKeys } = usePreferences()
  const shortcuts = useShortcutList()
  const visible = shortcuts.filter(
    (shortcut) => singleKeys === 'on' || !isSingleCharacter(shortcut) || isArrow(shortcut),
  )
  const groups = [...new Set(visible.map(({ group }) => group))]
  // What is special on this screen comes first.
  groups.sort((one, other) => Number(one === 'Everywhere') - Number(other === 'Everywhere'))
  return groups.map((group) => (
    <section key={group} className={classes.group} aria-label={group}>
      <Text component="h3" size="sm" fw={600} m={0}>
        {group}
      </Text>
      <dl className={classes.list}>
        {visible
          .filter((shortcut) => shortcut.group === group)
          .map(({ keys, label }) => (
            <div key={label} className={classes.shortcut}>
              <dt>{label}</dt>
              <dd>
                <KeyLabel keys={keys} />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  ))
}

/** Arrows move between things and are never typed, so they are not affected by the setting. */
const isArrow = ({ keys }: Shortcut): boolean => /^[←↑→↓]$/.test(keys[0] ?? '')
