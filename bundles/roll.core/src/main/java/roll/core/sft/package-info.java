/** Supervised fine-tuning: demonstrations, their batches, and the run that trains on them. */
@NullMarked
package roll.core.sft;

import org.jspecify.annotations.NullMarked;
