/**
 * A third fewer commits for two milliseconds of each message, under load alone. Questions to other services gather as long.
 * Longer is slower: with thirty-two senders all of them then move through the stages in one block, and while PostgreSQL
 * works for it this process has nothing to do.
 */
export const gatherMs = 2
