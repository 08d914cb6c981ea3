/** Supervision of episodes: time limits, checks of plugins' results, retries and permits. */
@NullMarked
package roll.rollout.supervise;

import org.jspecify.annotations.NullMarked;
