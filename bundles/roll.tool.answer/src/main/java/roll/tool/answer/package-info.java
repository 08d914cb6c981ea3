/** The tools {@code answer}, {@code answer_math} and {@code answer_qa}, which end an episode. */
@NullMarked
package roll.tool.answer;

import org.jspecify.annotations.NullMarked;
