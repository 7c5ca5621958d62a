import {
  type AlertProps,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'

/** The accent color. */
const green: MantineColorsTuple = [
  '#ecf7f2',
  '#d8ece3',
  '#aedac8',
  '#81c8ab',
  '#5db993',
  '#46a982',
  '#2f8f6b',
  '#1d6b52',
  '#175a45',
  '#0f4635',
]

/** For destructive actions: dark enough for white text. */
const red: MantineColorsTuple = [
  '#fdf0ee',
  '#fadcd8',
  '#f5b8b1',
  '#ffa49b',
  '#e8685b',
  '#dc4638',
  '#cf3225',
  '#b9281c',
  '#9c1f15',
  '#7d160e',
]

/** Greys tinted with the accent. */
const dark: MantineColorsTuple = [
  '#e3e8e5',
  '#b9c2bd',
  '#9ba6a0',
  '#6b756f',
  '#49524d',
  '#363e3a',
  '#29302c',
  '#1d2320',
  '#161b18',
  '#0f1311',
]

const gray: MantineColorsTuple = [
  '#f6f8f6',
  '#eef1ee',
  '#e3e8e4',
  '#d5dcd7',
  '#bfc8c2',
  '#a0aba4',
  '#78837d',
  '#56605a',
  '#38413c',
  '#1c231f',
]

/** In dark mode filled backgrounds are light, so their text is dark. */
const ON_FILLED_IN_DARK = '#101412'

/** The mark of a checked box and the thumb of a switch, for which Mantine chooses a color for the light scheme only. */
const MARK_ON_FILLED = `light-dark(#fff, ${ON_FILLED_IN_DARK})`

/** Readable text in both color schemes: Mantine computes contrast for the light one only. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  const color = input.color ?? input.theme.primaryColor
  if (!Object.hasOwn(input.theme.colors, color)) return resolved
  if (input.variant === 'filled') {
    return { ...resolved, color: `light-dark(${resolved.color}, ${ON_FILLED_IN_DARK})` }
  }
  if (input.variant === 'light') {
    return { ...resolved, color: `var(--reeve-on-light-${color}, ${resolved.color})` }
  }
  return resolved
}

const alertColors: Readonly<Partial<Record<string, string>>> = { yellow: 'warning', red: 'danger' }

function getAlertColors(color: string | undefined) {
  const name = alertColors[color ?? '']
  return name === undefined
    ? {}
    : { '--alert-bg': `var(--reeve-${name}-background)`, '--alert-color': `var(--reeve-${name})` }
}

export const theme = createTheme({
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  luminanceThreshold: 0.4,
  colors: { green, red, dark, gray },
  black: '#1a201d',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Checkbox: { defaultProps: { iconColor: MARK_ON_FILLED } },
    Radio: { defaultProps: { iconColor: MARK_ON_FILLED } },
    Switch: { vars: () => ({ root: { '--switch-thumb-bg': MARK_ON_FILLED } }) },
    Badge: { defaultProps: { tt: 'none' } },
    // Mantine's dark yellow and red are louder than a ban: these are the backgrounds of all warnings and errors.
    Alert: { vars: (_: unknown, { color }: AlertProps) => ({ root: getAlertColors(color) }) },
    // Mantine renders a dialog's title bar as `header`, which would be a second page banner.
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.4 },
        attributes: { header: { role: 'presentation' } },
      },
    },
    // A closed dropdown is not rendered: placing it takes a slow phone a tenth of a second.
    Combobox: { defaultProps: { keepMounted: false } },
    // Focus the first item: the placeholder would be a menu item without a name.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    TextInput: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    PasswordInput: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
  },
})

/** Semantic colors for both color schemes, with a `--mantine-color-dimmed` of sufficient contrast. */
export const cssVariables: CSSVariablesResolver = () => ({
  // On a phone, large text needs the space itself.
  variables: {
    '--mantine-spacing-xs': 'min(0.625rem, 3vw)',
    '--mantine-spacing-sm': 'min(0.75rem, 3.5vw)',
    '--mantine-spacing-md': 'min(1rem, 5vw)',
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566059',
    '--mantine-color-placeholder': '#6a746e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#1d6b52',
    '--reeve-background': '#f6f7f5',
    '--reeve-card': '#ffffff',
    '--reeve-border': '#dfe3df',
    '--reeve-field-border': '#828d87',
    '--reeve-row-highlight': '#edf4f0',
    '--reeve-danger': '#b3261e',
    '--reeve-danger-background': '#fdf0ee',
    '--reeve-warning': '#7a4b00',
    '--reeve-warning-background': '#fdf4e0',
    '--reeve-success': '#1d6b52',
    '--reeve-success-background': '#e6f4ed',
    '--reeve-on-light-red': '#a51d15',
    '--reeve-on-light-orange': '#8a3f00',
    '--reeve-on-light-yellow': '#704d00',
    '--reeve-on-light-green': '#175a45',
    '--reeve-on-light-blue': '#1452a3',
    '--reeve-on-light-gray': '#48514c',
  },
  dark: {
    '--mantine-color-body': '#1b201d',
    '--mantine-color-text': '#e3e8e5',
    '--mantine-color-dimmed': '#a3ada7',
    '--mantine-color-placeholder': '#8e9993',
    '--mantine-color-error': '#ffa49b',
    '--mantine-color-anchor': '#81c8ab',
    '--reeve-background': '#141816',
    '--reeve-card': '#1b201d',
    '--reeve-border': '#2e3531',
    '--reeve-field-border': '#78837d',
    '--reeve-row-highlight': '#232c27',
    '--reeve-danger': '#ffa49b',
    '--reeve-danger-background': '#33201e',
    '--reeve-warning': '#f2c46d',
    '--reeve-warning-background': '#2f2717',
    '--reeve-success': '#81c8ab',
    '--reeve-success-background': '#1a2d25',
    '--reeve-on-light-red': '#ffb3ab',
    '--reeve-on-light-orange': '#ffc08f',
    '--reeve-on-light-yellow': '#f5d07f',
    '--reeve-on-light-green': '#9fdcc2',
    '--reeve-on-light-blue': '#a9cdfb',
    '--reeve-on-light-gray': '#c4ccc7',
  },
})
