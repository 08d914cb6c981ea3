/** Grading of mathematical answers: extraction, reading and comparison as Math-Verify does them. */
@NullMarked
package roll.grader.math_verify;

import org.jspecify.annotations.NullMarked;
