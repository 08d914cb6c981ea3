/** Supervised training: demonstrations and preferences, their batches, and the run on them. */
@NullMarked
package roll.core.sft;

import org.jspecify.annotations.NullMarked;
