import { Switch } from '@mantine/core'
import { setPreferences, usePreferences } from '../app/preferences.ts'

/** Turns shortcuts of a single key on or off on this device. */
export const SingleKeySwitch = () => (
  <Switch
    label="Single-key shortcuts"
    description="Such as B to ban on a player’s page. Turn off if you use speech input, or press keys by accident."
    checked={usePreferences().singleKeys === 'on'}
    onChange={(event) => setPreferences({ singleKeys: event.currentTarget.checked ? 'on' : 'off' })}
  />
)
