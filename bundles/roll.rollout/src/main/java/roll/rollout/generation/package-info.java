/**
 * Requests of episodes to the policy and to reward models, dispatched in batches or continuously.
 */
@NullMarked
package roll.rollout.generation;

import org.jspecify.annotations.NullMarked;
