import { pino, type Logger } from 'pino'
import type { Clock } from '../clock/clock.ts'

/**
 * What a log line may carry. There is no way to log an object or a free text of the caller's, so patient data and
 * tokens have no road in. Add a field here only when it can never hold either.
 */
export interface LogFields {
  readonly service?: string
  readonly copy?: string
  readonly route?: string
  readonly method?: string
  readonly status?: number
  readonly durationMs?: number
  readonly requestId?: string
  readonly clientId?: string
  readonly port?: number
  readonly host?: string
  readonly count?: number
  readonly attempt?: number
  readonly attemptsMax?: number
  readonly waitMs?: number
  readonly bytes?: number
  readonly faultKind?: string
  readonly faultCode?: string
  readonly stage?: string
  readonly channel?: string
  readonly transactionId?: string
  readonly dependency?: string
  readonly state?: string
  readonly queue?: string
  readonly kid?: string
  /** An audit chain and the hash at its end. */
  readonly chain?: string
  readonly hash?: string
  readonly version?: string
  readonly pid?: number
  readonly signal?: string
  readonly mode?: string
  /** A message from our own code or a library, never a request's content. Line breaks and control signs are removed. */
  readonly error?: string
  /** Where it happened: the frames of a stack without its message. */
  readonly stack?: string
}

export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  /** A log that adds these fields to every line. */
  with(fields: LogFields): Log
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

const allowedFields: readonly (keyof LogFields)[] = [
  'service',
  'copy',
  'route',
  'method',
  'status',
  'durationMs',
  'requestId',
  'clientId',
  'port',
  'host',
  'count',
  'attempt',
  'attemptsMax',
  'waitMs',
  'bytes',
  'faultKind',
  'faultCode',
  'stage',
  'channel',
  'transactionId',
  'dependency',
  'state',
  'queue',
  'kid',
  'chain',
  'hash',
  'version',
  'pid',
  'signal',
  'mode',
  'error',
  'stack',
]

interface LogSink {
  write(line: string): void
}

/** One JSON object a line, into the given sink. */
export function makeLog(options: { level: LogLevel; sink: LogSink; clock: Clock }): Log {
  const { level, sink, clock } = options
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    sink,
  )
  return logInto(logger, {})
}

export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
}

type PinoLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

function logInto(logger: PinoLogger, bound: LogFields): Log {
  const line = (fields: LogFields | undefined) => pick({ ...bound, ...fields })
  return {
    debug: (event, fields) => logger.debug(line(fields), event),
    info: (event, fields) => logger.info(line(fields), event),
    warn: (event, fields) => logger.warn(line(fields), event),
    error: (event, fields) => logger.error(line(fields), event),
    with: (fields) => logInto(logger, { ...bound, ...fields }),
  }
}

/** The type already forbids other fields; this holds the line where a type was cast away. */
function pick(fields: LogFields): Record<string, string | number> {
  const picked: Record<string, string | number> = {}
  for (const name of allowedFields) {
    const value = fields[name]
    if (typeof value === 'number') picked[name] = value
    else if (typeof value === 'string') picked[name] = oneLine(value)
  }
  return picked
}

const textMax = 2_000

/** One event is one line: control signs (line breaks, terminal escapes) become spaces, and no text is endless. */
function oneLine(text: string): string {
  const clean = text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  return clean.length > textMax ? `${clean.slice(0, textMax)}…` : clean
}
