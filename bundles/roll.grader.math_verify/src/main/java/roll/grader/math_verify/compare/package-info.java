/** Formulas read as terms, and compared. */
@NullMarked
package roll.grader.math_verify.compare;

import org.jspecify.annotations.NullMarked;
