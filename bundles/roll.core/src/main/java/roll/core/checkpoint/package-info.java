/**
 * Checkpoints: written atomically, found again, and rescued to another folder if the output folder
 * is lost.
 */
@NullMarked
package roll.core.checkpoint;

import org.jspecify.annotations.NullMarked;
