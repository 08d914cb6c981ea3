/** Answers found in a text. */
@NullMarked
package roll.grader.math_verify.extract;

import org.jspecify.annotations.NullMarked;
