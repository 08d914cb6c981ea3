/** Environment managers: how an episode becomes a trajectory of one or several samples. */
@NullMarked
package roll.rollout.manager;

import org.jspecify.annotations.NullMarked;
