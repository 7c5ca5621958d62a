import { Checkbox, List, Radio, Stack, Text } from '@mantine/core'
import type { Permission } from '@reeve/core'
import { useWorkspace } from '../../../api/me.ts'
import { permissionGroups, permissionWords } from '../../../components/permission-words.ts'
import classes from './keys.module.css'
import { keyPermissions, OWN_CHOICE, type Preset, presets } from './presets.ts'

interface Props {
  /** The id of a preset, or `OWN_CHOICE`. */
  readonly preset: string
  readonly chosen: readonly Permission[]
  readonly choose: (preset: string, chosen: readonly Permission[]) => void
  readonly error: string | undefined
}

/** What a key may do: what such keys mostly need, or permissions one by one, of those that the reader has. */
export function PermissionChoice({ preset, chosen, choose, error }: Props) {
  const { permissions: own } = useWorkspace()
  const lackedIn = ({ permissions }: Preset) => permissions.find((permission) => !own.has(permission))
  return (
    <Stack gap="sm">
      <Radio.Group
        label="What it is used for"
        description="It may do no more than this needs, so that a key that leaks does little harm."
        value={preset}
        onChange={(id) => choose(id, presets.find((one) => one.id === id)?.permissions ?? chosen)}
      >
        <Stack gap="sm" mt="xs">
          {presets.map((one) => {
            const lacked = lackedIn(one)
            return (
              <Radio
                key={one.id}
                value={one.id}
                disabled={lacked !== undefined}
                label={one.label}
                description={
                  lacked === undefined
                    ? one.description
                    : `You cannot give this: you may not do it yourself (“${permissionWords(lacked)}”).`
                }
              />
            )
          })}
          <Radio
            value={OWN_CHOICE}
            label="Something else"
            description="Choose each permission, of those that you have yourself."
          />
        </Stack>
      </Radio.Group>
      {preset === OWN_CHOICE ? (
        <OneByOne own={own} chosen={chosen} choose={(next) => choose(OWN_CHOICE, next)} error={error} />
      ) : (
        <div className={classes.may}>
          <Text size="sm" fw={500}>
            It may:
          </Text>
          <List size="sm">
            {chosen.map((permission) => (
              <List.Item key={permission}>{permissionWords(permission)}</List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  )
}

interface OneByOneProps {
  readonly own: ReadonlySet<Permission>
  readonly chosen: readonly Permission[]
  readonly choose: (chosen: readonly Permission[]) => void
  readonly error: string | undefined
}

const OneByOne = ({ own, chosen, choose, error }: OneByOneProps) =>
  keyPermissions.some((permission) => own.has(permission)) ? (
    <Checkbox.Group
      label="It may"
      value={[...chosen]}
      onChange={(next) => choose(next as Permission[])}
      error={error}
      errorProps={{ role: 'alert' }}
      className={classes.may}
    >
      <div className={classes.groups}>
        {permissionGroups.map(({ title, permissions }) => {
          const offered = permissions.filter((one) => own.has(one) && keyPermissions.includes(one))
          if (offered.length === 0) return null
          return (
            <Stack key={title} gap={6} role="group" aria-label={title}>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              {offered.map((permission) => (
                <Checkbox
                  key={permission}
                  value={permission}
                  label={permissionWords(permission)}
                  {...(error ? { 'aria-invalid': true } : {})}
                />
              ))}
            </Stack>
          )
        })}
      </div>
    </Checkbox.Group>
  ) : (
    <Text size="sm" role="note" className={classes.may}>
      You have no permission that a key could use, so you have none to give.
    </Text>
  )
