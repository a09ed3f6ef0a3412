/** argon2id of `demo`, made once: a start must not take the time of four hashes. */
export const demoPasswordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$NnQgUS1CGDfonhLov0JPqA$E7GTNDtQ0HHK7YdokHLMb62Oro2ebp0N31clNBg8QyQ'

/** SHA-256 of `demo`. */
export const demoSecretHash = 'sha256:KpdRbDVLaISM29j1SiJqClWyHtE44getbFy7nACqWuo'
