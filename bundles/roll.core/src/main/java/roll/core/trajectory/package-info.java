/** Trajectories as files: JSON lines, recorded rollouts, pictures of episodes. */
@NullMarked
package roll.core.trajectory;

import org.jspecify.annotations.NullMarked;
