import { readPng } from './read-png.ts'

/** A still picture as uncompressed video (YUV4MPEG2), which Chromium takes for a camera; white around it. */
export function videoOf(png: Buffer): Buffer {
  const [width, height] = [1_280, 720]
  const picture = readPng(png)
  const light = Buffer.alloc(width * height, 235)
  const [left, top] = [(width - picture.width) >> 1, (height - picture.height) >> 1]
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (picture.rgba[(y * picture.width + x) * 4] === 0) light[(top + y) * width + left + x] = 16
    }
  }
  const colour = Buffer.alloc((width * height) / 2, 128)
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, colour])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame])
}
