/** A reward that a language model gives. */
@NullMarked
package roll.reward.llm_judge;

import org.jspecify.annotations.NullMarked;
