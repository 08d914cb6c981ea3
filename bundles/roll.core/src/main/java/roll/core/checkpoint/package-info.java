/**
 * Checkpoints: written whole or not at all, found again, and saved elsewhere when the output folder
 * is lost.
 */
@NullMarked
package roll.core.checkpoint;

import org.jspecify.annotations.NullMarked;
