/** What the policy is shown in an episode, turn by turn, and the samples that makes. */
@NullMarked
package roll.rollout.prompt;

import org.jspecify.annotations.NullMarked;
