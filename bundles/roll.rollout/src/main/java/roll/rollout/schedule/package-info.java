/** Scheduling of groups of episodes, for synchronous and asynchronous training. */
@NullMarked
package roll.rollout.schedule;

import org.jspecify.annotations.NullMarked;
