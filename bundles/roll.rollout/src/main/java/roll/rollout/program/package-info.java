/** Episodes of agent programs, which query the policy over an endpoint with several dialects. */
@NullMarked
package roll.rollout.program;

import org.jspecify.annotations.NullMarked;
