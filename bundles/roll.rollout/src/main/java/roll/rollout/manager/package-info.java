/** Environment managers, which turn an episode into a trajectory of one or more samples. */
@NullMarked
package roll.rollout.manager;

import org.jspecify.annotations.NullMarked;
