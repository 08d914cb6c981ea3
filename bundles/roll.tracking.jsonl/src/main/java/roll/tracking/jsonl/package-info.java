/** Tracker jsonl: metrics as JSON lines. */
@NullMarked
package roll.tracking.jsonl;

import org.jspecify.annotations.NullMarked;
