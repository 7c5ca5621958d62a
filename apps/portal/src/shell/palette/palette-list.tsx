import { Text } from '@mantine/core'
import classes from './palette.module.css'
import type { PaletteGroup, PaletteItem } from './palette-item.ts'

interface Props {
  readonly id: string
  readonly groups: readonly PaletteGroup[]
  readonly activeItem: PaletteItem | undefined
  readonly choose: (item: PaletteItem) => void
  readonly activate: (item: PaletteItem) => void
}

/** The id of the element of an item. */
export const toOptionId = (listId: string, { id }: PaletteItem): string => `${listId}-${id}`

/** The results of the command palette, by group. The focus stays in the field, which names the active option. */
export function PaletteList({ id, groups, activeItem, choose, activate }: Props) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      className={classes.list}
      // A click does not take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ title, items }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
        <div key={title} role="group" aria-labelledby={`${id}-group-${index}`}>
          <Text id={`${id}-group-${index}`} size="xs" c="dimmed" fw={600} className={classes.title}>
            {title}
          </Text>
          {items.map((item) => (
            <PaletteOption
              key={item.id}
              id={toOptionId(id, item)}
              item={item}
              isActive={item.id === activeItem?.id}
              choose={choose}
              activate={activate}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface OptionProps extends Pick<Props, 'choose' | 'activate'> {
  readonly id: string
  readonly item: PaletteItem
  readonly isActive: boolean
}

const PaletteOption = ({ id, item, isActive, choose, activate }: OptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
  <div
    id={id}
    role="option"
    aria-selected={isActive}
    className={classes.option}
    onClick={() => choose(item)}
    onMouseMove={isActive ? undefined : () => activate(item)}
  >
    <item.icon size={18} stroke={1.7} aria-hidden className={classes.icon} />
    <bdi className={classes.label}>{item.label}</bdi>
    {item.detail ? <span className={classes.detail}>{item.detail}</span> : null}
  </div>
)
