import { Button, Group, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormAlert } from '../../forms/form-alert.tsx'
import classes from './unsaved-bar.module.css'

interface Props {
  readonly label: string
  readonly title: string
  /** The impact of the changes. */
  readonly children: ReactNode
  /** Why the changes were not saved; empty if they have not been tried. */
  readonly alert?: string
  readonly discard: () => void
  readonly saveButton: ReactNode
}

/** A sticky bar with unsaved changes. */
export const UnsavedBar = ({ label, title, children, alert = '', discard, saveButton }: Props) => (
  <Paper component="section" withBorder shadow="md" className={classes.bar} aria-label={label}>
    <div className={classes.text} role="status">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm" c="dimmed" component="div">
        {children}
      </Text>
    </div>
    <Group gap="sm" className={classes.buttons}>
      <Button variant="default" onClick={discard}>
        Discard
      </Button>
      {saveButton}
    </Group>
    <div className={classes.alert}>
      <FormAlert>{alert}</FormAlert>
    </div>
  </Paper>
)
