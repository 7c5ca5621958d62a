import { Group, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { plainText } from '../../../forms/plain-text.ts'
import classes from './form.module.css'
import type { labels } from './labels.ts'
import type { EventValues } from './values.ts'

interface Props {
  readonly form: UseFormReturnType<EventValues>
  readonly labels: typeof labels
}

/** Where in the game an event is. */
export function ExperienceFields({ form, labels }: Props) {
  const given = (name: keyof EventValues) => ({
    label: labels[name],
    name,
    autoComplete: 'off',
    key: form.key(name),
    ...form.getInputProps(name),
  })
  const { key: nameKey, ...name } = given('experienceName')
  const { key: urlKey, ...url } = given('experienceUrl')
  const { key: idKey, ...id } = given('experienceId')
  const { key: placeKey, ...place } = given('experiencePlaceId')
  const { key: pictureKey, ...picture } = given('experienceThumbnailUrl')
  return (
    <fieldset className={classes.group}>
      <legend>Experience</legend>
      <Stack gap="sm">
        <TextInput key={nameKey} {...name} maxLength={100} description="Where in the game it takes place." />
        <TextInput key={urlKey} {...url} {...plainText} type="url" inputMode="url" placeholder="https://" />
        <Group gap="sm" grow preventGrowOverflow={false} align="flex-start">
          <TextInput key={idKey} {...id} {...plainText} maxLength={64} />
          <TextInput key={placeKey} {...place} {...plainText} maxLength={64} />
        </Group>
        <TextInput
          key={pictureKey}
          {...picture}
          {...plainText}
          type="url"
          inputMode="url"
          placeholder="https://"
          description="Games and sites show it. Here it is a link: this page loads nothing from elsewhere."
        />
      </Stack>
    </fieldset>
  )
}
