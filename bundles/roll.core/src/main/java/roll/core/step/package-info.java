/** One training step: rollout, scoring, reward shaping, updates, and the metrics of its data. */
@NullMarked
package roll.core.step;

import org.jspecify.annotations.NullMarked;
