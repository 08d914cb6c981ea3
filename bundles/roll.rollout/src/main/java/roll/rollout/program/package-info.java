/** Episodes that a program plays by asking the policy over OpenAI's interface. */
@NullMarked
package roll.rollout.program;

import org.jspecify.annotations.NullMarked;
