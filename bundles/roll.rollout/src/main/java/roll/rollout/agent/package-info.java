/** Agents that play instead of the policy. */
@NullMarked
package roll.rollout.agent;

import org.jspecify.annotations.NullMarked;
