/** Prompts of an episode, turn by turn, and the samples made of them. */
@NullMarked
package roll.rollout.prompt;

import org.jspecify.annotations.NullMarked;
