/** Attempts at episodes: time limits, checks of what plugins return, retries and permits. */
@NullMarked
package roll.rollout.supervise;

import org.jspecify.annotations.NullMarked;
