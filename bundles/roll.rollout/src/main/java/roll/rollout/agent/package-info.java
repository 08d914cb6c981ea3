/** Agents that play in place of the policy. */
@NullMarked
package roll.rollout.agent;

import org.jspecify.annotations.NullMarked;
