import { Group, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { plainTextProps } from '../../../forms/text-fields.tsx'
import type { EventValues } from './event-values.ts'
import type { labels } from './field-labels.ts'
import classes from './form.module.css'

interface Props {
  readonly form: UseFormReturnType<EventValues>
  readonly labels: typeof labels
}

/** The fields for the in-game location of an event. */
export function ExperienceFields({ form, labels }: Props) {
  const getFieldProps = (name: keyof EventValues) => ({
    label: labels[name],
    name,
    autoComplete: 'off',
    key: form.key(name),
    ...form.getInputProps(name),
  })
  const { key: nameKey, ...name } = getFieldProps('experienceName')
  const { key: urlKey, ...url } = getFieldProps('experienceUrl')
  const { key: idKey, ...id } = getFieldProps('experienceId')
  const { key: placeKey, ...place } = getFieldProps('experiencePlaceId')
  const { key: thumbnailKey, ...thumbnail } = getFieldProps('experienceThumbnailUrl')
  return (
    <fieldset className={classes.group}>
      <legend>Experience</legend>
      <Stack gap="sm">
        <TextInput
          key={nameKey}
          {...name}
          maxLength={100}
          description="Where the event takes place in the game."
        />
        <TextInput
          key={urlKey}
          {...url}
          {...plainTextProps}
          type="url"
          inputMode="url"
          placeholder="https://"
        />
        <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
          <TextInput key={idKey} {...id} {...plainTextProps} maxLength={64} />
          <TextInput key={placeKey} {...place} {...plainTextProps} maxLength={64} />
        </Group>
        <TextInput
          key={thumbnailKey}
          {...thumbnail}
          {...plainTextProps}
          type="url"
          inputMode="url"
          placeholder="https://"
          description="Shown by games and websites. The portal only links to it, because it loads nothing from other hosts."
        />
      </Stack>
    </fieldset>
  )
}
