/**
 * Groups of episodes: which are played, repeated, replaced or dropped, step by step or ahead of the
 * training.
 */
@NullMarked
package roll.rollout.schedule;

import org.jspecify.annotations.NullMarked;
