/** The pipeline: service slots, phases, reward shaping, checkpoints, metrics. */
@NullMarked
package roll.core;

import org.jspecify.annotations.NullMarked;
