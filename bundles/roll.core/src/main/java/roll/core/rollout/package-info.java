/** Rollouts without training. */
@NullMarked
package roll.core.rollout;

import org.jspecify.annotations.NullMarked;
