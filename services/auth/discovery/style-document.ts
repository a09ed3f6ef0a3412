import { hash } from 'node:crypto'

/** The look that apps may take on (SMART App Launch 2.2, section "smart_style_url"). */
const style = {
  color_background: '#f6f8fa',
  color_error: '#b42318',
  color_highlight: '#0b6bcb',
  color_modal_backdrop: '#1018288c',
  color_success: '#067647',
  color_text: '#101828',
  dim_border_radius: '8px',
  dim_font_size: '16px',
  dim_spacing_size: '16px',
  font_family_body: "Inter, 'Helvetica Neue', Arial, sans-serif",
  font_family_heading: "Inter, 'Helvetica Neue', Arial, sans-serif",
} as const

const version = hash('sha256', JSON.stringify(style), 'base64url').slice(0, 12)

/** Its address changes whenever its contents do, so apps may keep what they have fetched. */
export const styleDocument = {
  style,
  version,
  addressUnder: (issuer: string): string => `${issuer}/smart-style/${version}.json`,
}
