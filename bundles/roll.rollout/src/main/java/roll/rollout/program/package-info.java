/** Episodes of agent programs, which query the policy over an OpenAI-compatible endpoint. */
@NullMarked
package roll.rollout.program;

import org.jspecify.annotations.NullMarked;
